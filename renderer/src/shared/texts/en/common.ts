export const components = {
  copy: { label: 'Copy', copied: 'Copied', failed: 'The clipboard could not be reached' },
  headers: {
    add: 'Add header',
    name: 'Name of header {{number}}',
    nameHint: 'Name',
    value: 'Value of header {{number}}',
    valueHint: 'Value',
    kept: 'kept: {{value}}',
    secret: 'Secret',
    remove: 'Remove header {{number}}',
  },
} as const

/** One sentence per code of a refusal. English shows the host's own sentence, which says more. */
export const errors = {
  'bad-params': '{{message}}',
  'unknown-command': 'This window and its host are of different versions. Reload the window.',
  'not-found': '{{message}}',
  'bad-filter': '{{message}}',
  conflict: '{{message}}',
  'not-available': '{{message}}',
  forbidden: 'This window is no longer signed in. Run “acuse link” and open the link it prints.',
  'store-failed': '{{message}}',
  'in-use': '{{message}}',
  'newer-schema': '{{message}}',
  internal: 'Something failed inside Acuse: {{message}}',
} as const

export const common = {
  copy: 'Copy',
  copied: 'Copied',
  cancel: 'Cancel',
  close: 'Close',
  retry: 'Try again',
  loading: 'Loading…',
  verdict: {
    valid: 'valid',
    noted: 'noted',
    warning: 'warning',
    invalid: 'invalid',
    unreadable: 'unreadable',
    unjudged: 'judging…',
  },
  mark: {
    duplicate: 'duplicate',
    late: 'late',
    'out-of-order': 'out of order',
    replay: 'replay',
    drift: 'drift',
    synthetic: 'synthetic',
    pinned: 'pinned',
    rejected: 'rejected',
    malformed: 'malformed',
  },
  malformed: {
    unparseable: 'not parseable as HTTP',
    expectation: 'unknown Expect header',
    connect: 'CONNECT request',
    'cut-off': 'cut off before its end',
    timeout: 'sender too slow',
    'too-large': 'body over the limit',
  },
  weakSecrets:
    'The secret store of this system does not protect its content: anyone who can read your files can read the secrets. Install a keyring such as GNOME Keyring or KWallet, or use values you can replace.',
} as const
