/** What is done about what was found; a part of the `reconcile` texts. */
export const recovery = {
  actions: {
    ignore: 'Ignore with a reason…',
    rebuild: 'Rebuild events…',
    rebuildClasses: 'Rebuild and replay…',
  },
  annotate: {
    ignoreTitle_one: 'Ignore {{count, number}} document',
    ignoreTitle_other: 'Ignore {{count, number}} documents',
    ignoreText: 'They stay in their class and are marked. It holds for later sweeps of this connection.',
    reason: 'Because',
    noteTitle: 'Note on {{number}}',
    noteText: 'It stays with the document, in later sweeps of this connection too.',
    note: 'Note',
    save: 'Save',
    ignore: 'Ignore',
    takeBack: 'No longer ignore',
    removeNote: 'Remove note',
  },
  recovery: {
    title: 'Rebuild missed events',
    text: 'Missed events are made again from the service’s records: the documented envelope, with the fields that a record has. They are stored as synthetic deliveries and can be told from captured ones everywhere.',
    would_one: '{{count, number}} event would be rebuilt,',
    would_other: '{{count, number}} events would be rebuilt,',
    of_one: 'of {{count, number}} document.',
    of_other: 'of {{count, number}} documents.',
    nothing: 'Nothing can be rebuilt here.',
    absent: 'Fields that stay absent',
    absentText: 'The records lack them; nothing is invented.',
    kind: 'Event',
    field: 'Field',
    events: 'Events',
    left: 'Left out',
    reason: {
      'kind-unknown':
        'the record does not say which event it would be; the connection can say it of its document type (Settings > Connections)',
      'no-document-id': 'the record has no document id',
      'only-possibly-missed': 'only possibly missed',
      'already-rebuilt': 'already rebuilt',
      ignored: 'ignored with a reason',
      invalid: 'what would come of it breaks a documented rule',
    },
    documents_one: '{{count, number}} document: {{reason}}',
    documents_other: '{{count, number}} documents: {{reason}}',
    rebuild_one: 'Rebuild {{count, number}} event',
    rebuild_other: 'Rebuild {{count, number}} events',
    done_one: '{{count, number}} event was rebuilt.',
    done_other: '{{count, number}} events were rebuilt.',
    next: 'Replay them to your handler; its answers show here afterwards.',
    replay: 'Replay them…',
  },
  limits: {
    title: 'What a reconciliation cannot prove',
    kinds:
      'The 12 kinds of quotations, customers, suppliers and products: the sync routes do not list what they are about.',
    superseded:
      'A lost event that a later one superseded leaves no trace in the service’s record. No tool can find it from these routes.',
    treasury: 'treasury-sync lists debts only: what it does not list was not missed for that reason.',
    updates:
      'An update is only ever possibly missed: other values are explained by it, but payments and notes change values too.',
    rules: 'Where a record lacks what a rule needs, Acuse says that it cannot tell, and counts nothing.',
    dates:
      'A range goes by issue date. A document of which only voids or tax-authority events were captured has none: it is a class of its own.',
    deleted:
      'A delivery that was deleted here counts as not captured; the evidence beside the document says how many were.',
  },
} as const
