/** The tab Document of a delivery. */
export const document = {
  untitled: 'No number',
  copyId: 'Copy the document id',
  inList: 'Show in the list',
  life: 'Deliveries of this document, in the order they arrived',
  count_one: '{{count, number}} delivery of this document, in the order of arrival',
  count_other: '{{count, number}} deliveries of this document, in the order of arrival',
  atLeast_one: 'The first {{count, number}} delivery of this document',
  atLeast_other: 'The first {{count, number}} deliveries of this document',
  this: 'this one',
  status: 'StatusId {{status}}',
  attempts_one: '{{count, number}} attempt',
  attempts_other: '{{count, number}} attempts',
  compare: 'Compare',
  compareLabel: 'Compare #{{left}} with #{{right}}',
  later: '{{time}} later',
  more: 'Show more',
} as const
