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
