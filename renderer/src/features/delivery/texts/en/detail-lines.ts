/** The tabs Lines and Accounting of a delivery. */
export const lines = {
  table: 'Lines of the document',
  line: 'Line {{number}}',
  close: 'Close the line',
  empty: 'The list is empty.',
  count_one: '{{count, number}} line',
  count_other: '{{count, number}} lines',
  atLeast_one: 'at least {{count, number}} line',
  atLeast_other: 'at least {{count, number}} lines',
  adding: ' · adding up…',
  below: 'The chosen line and the sums',
  totals: 'Totals',
  partSum_one: 'Sum of {{count, number}} line of {{lines, number}}; the others have no number there',
  partSum_other: 'Sum of {{count, number}} lines of {{lines, number}}; the others have no number there',
  marked_one: '{{count, number}} line with findings',
  marked_other: '{{count, number}} lines with findings',
  previous: 'Previous line with findings',
  next: 'Next line with findings',
  moreUnknown_one: '{{shown}} more undocumented field has no column; a chosen line shows it.',
  moreUnknown_other: '{{shown}} more undocumented fields have no column; a chosen line shows them.',
  readableOnly: 'Only the beginning of the list can be read, so nothing is added up; Raw says where it ends.',
  wholeOnly: 'Totals are told once the whole body is here.',
} as const

export const sums = {
  title: 'Sums of the lines beside Accounting',
  explain:
    'For information only. The specification gives no arithmetic, so nothing here is judged; what belongs together is read from the names of the fields.',
  sum: 'Lines',
  sent: 'As sent',
  difference: 'Difference',
  same: 'none',
  of: {
    all: 'Σ {{field}}',
    exempt: 'Σ {{field}} of exempt lines',
    taxable: 'Σ {{field}} of the other lines',
  },
  noSum: 'no numbers',
  absent: 'absent',
  noNumber: 'not a number',
  unknown: 'Nothing to compare',
  without_one: '{{count, number}} of {{lines, number}} lines is without it',
  without_other: '{{count, number}} of {{lines, number}} lines are without it',
  unclear_one: 'IsExempt of {{count, number}} line is neither true nor false; it is in neither sum.',
  unclear_other: 'IsExempt of {{count, number}} lines is neither true nor false; they are in neither sum.',
} as const

export const accounting = {
  lead: 'The header accounting breakdown, digits as sent.',
} as const
