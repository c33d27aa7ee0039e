export const order = {
  progress: 'Deliveries put in order',
  making: 'Sorting by {{column}}: {{share}} % of {{of}}',
  standsUp:
    'Sorted by {{column}}, ascending. This order stands still: what arrives is counted until you ask for it.',
  standsDown:
    'Sorted by {{column}}, descending. This order stands still: what arrives is counted until you ask for it.',
  new_one: '{{formatted}} new: show',
  new_other: '{{formatted}} new: show',
  renew: 'Sort new arrivals in',
  back: 'Newest first',
  go: {
    label: 'Time to go to',
    hint: '14:05, 2026-11-01, -2h, yesterday',
    go: 'Go there',
    close: 'Close',
    wrong: 'That is no time. Write 14:05, 2026-11-01, 2026-11-01T10:00, -2h, today or yesterday.',
    none: 'There is no delivery in this list.',
    before: 'Nothing came since then. This is the last one before it: {{at}}.',
  },
  copy: {
    entry: {
      text: 'As text, for a spreadsheet',
      json: 'As JSON, one array',
      ndjson: 'As NDJSON, an object a line',
      curl: 'As cURL commands',
      'curl-secrets': 'As cURL commands, with secrets',
    },
    as: {
      text: 'text',
      json: 'JSON',
      ndjson: 'NDJSON',
      curl: 'cURL',
      'curl-secrets': 'cURL',
    },
    progress: 'Deliveries copied',
    going_one: 'Copying: {{done}} of {{of}}',
    going_other: 'Copying: {{done}} of {{of}}',
    done_one: '{{formatted}} delivery copied as {{as}}.',
    done_other: '{{formatted}} deliveries copied as {{as}}.',
    bound:
      'A copy holds 10,000 deliveries or 32 million characters, so the rest of the {{of}} is left out; acuse events prints all of them.',
    masked: 'Secrets are masked.',
    shown: 'Secrets are in it.',
    noClipboard: 'The clipboard could not be written. Copy again while this window has the focus.',
    stop: 'Stop',
    close: 'Close',
  },
} as const
