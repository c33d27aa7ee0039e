/** The report of a sweep; a part of the `reconcile` texts. */
export const report = {
  open: 'Report…',
  title: 'Report of this reconciliation',
  text: 'Sweep {{id, number}} as it compares now, as a file to hand over.',
  format: 'Format',
  formats: { html: 'HTML', csv: 'CSV', json: 'JSON', markdown: 'Markdown' },
  formatHint: {
    html: 'One page without script that opens in any browser, made to be printed.',
    csv: 'A line for each document, for spreadsheets. It has neither counts nor method.',
    json: 'For programs: names as in Acuse’s own commands, times in UTC.',
    markdown: 'For tickets, wikis and mail.',
  },
  language: 'Language',
  languages: { en: 'English', es: 'Español' },
  cover: 'Cover personal data',
  coverHint:
    'Of the names of customers and suppliers, the first letter and the length are left. Ids, numbers, dates and amounts stay, so that a document can be looked up; notes stay as they were typed.',
  openHint: 'The names of customers and suppliers will be readable to everyone who gets the file.',
  holds: 'What it holds',
  parts: {
    scope: 'What was compared, with whom and how',
    counts: 'Documents of each class, missed events, money at stake',
    documents_one: '{{count, number}} document that is not matched, with evidence and what was done about it',
    documents_other:
      '{{count, number}} documents that are not matched, with evidence and what was done about them',
    limits: 'What no comparison can know',
  },
  most: 'Only the first {{most, number}} by issue date are listed; {{count, number}} more are counted, and the report says so. Sweep a shorter range to list them all.',
  save: 'Save report',
  making_one: 'Gathering the evidence of {{count, number}} document. Acuse goes on capturing meanwhile.',
  making_other: 'Gathering the evidence of {{count, number}} documents. Acuse goes on capturing meanwhile.',
  made: 'The report is made: {{name}}',
  listed_one: 'It lists {{count, number}} document.',
  listed_other: 'It lists {{count, number}} documents.',
} as const
