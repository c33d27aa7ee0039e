export const fileCheck = {
  title: 'Validate a file',
  lead: 'Judged as the body of a delivery: a POST of application/json. The file is read in this window; nothing is sent and nothing is kept.',
  choose: 'Choose a file…',
  chooseOther: 'Choose another file…',
  drop: 'Or drop one anywhere on the window; up to {{most}}.',
  reading: 'Reading and checking…',
  noEvent: 'No event',
  others_one: 'Only the first file is checked; {{count}} other was left alone.',
  others_other: 'Only the first file is checked; {{count}} others were left alone.',
  refused: {
    folder: 'That is a folder, or not a file at all. Drop the file itself.',
    large: 'The file has {{size}}; at most {{most}} are read, as of a delivery.',
    unreadable: 'The file could not be read: {{reason}}',
  },
} as const
