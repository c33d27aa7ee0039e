export const order = {
  progress: 'Deliveries put in order',
  making: 'Sorting by {{column}}: {{share}} % of {{of}}',
  standsUp:
    'Sorted by {{column}}, ascending. This order stands still: what arrives is counted until you ask for it.',
  standsDown:
    'Sorted by {{column}}, descending. This order stands still: what arrives is counted until you ask for it.',
  new_one: '{{formatted}} new: show',
  new_other: '{{formatted}} new: show',
  renew: 'Put what came since in its place',
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
} as const
