import type { DocumentClass, MissRule, RowRule } from '#contract/reconcile.ts'

/** What a report says in English. The Spanish one has the same parts. */
export const english = {
  lang: 'en',
  classes: {
    missing: 'missing in capture',
    differs: 'differs',
    'webhook-only': 'webhook only',
    'not-yet-due': 'not yet due',
    'date-unknown': 'date unknown',
    'not-subscribed': 'not subscribed',
    'cannot-tell': 'cannot tell',
    matched: 'matched',
  } satisfies Record<DocumentClass, string>,
  /** What each class means, for a reader who has never seen Acuse. */
  meanings: {
    missing: 'the service lists it, and no event of its creation was captured',
    differs: 'captured, and the service now says something that no captured event told',
    'webhook-only': 'captured with an issue date in the range, and the service does not list it',
    'not-yet-due': 'as missing, but so recent that its event may still be on its way',
    'date-unknown':
      'captured events of it carry no issue date, so whether it belongs to the range is unknown',
    'not-subscribed': 'no event of its creation can come: the subscription does not select the kind',
    'cannot-tell': 'no value of it could be compared, so that nothing says whether both sides agree',
    matched: 'values were compared, and both sides agree',
  } satisfies Record<DocumentClass, string>,
  notReached: 'not reached',
  /** Beside the classes: what an incomplete sweep says nothing about. */
  notReachedMeaning: 'captured, issued on dates that the sweep did not list whole: nothing is said of them',
  rules: {
    'no-created': 'listed by the service, no created event captured',
    'status-without-event': "the service has the tax authority's answer, no event told it",
    'void-without-event': 'voided at the service, no void event captured',
    'values-differ': 'values differ from the last captured ones',
    'note-explains':
      'amounts moved after the last captured update, which a captured credit or debit note explains',
    'amount-due': 'AmountDue alone differs, which payments change',
    'void-not-in-service': 'a void event was captured, and the service does not have it as voided',
    'changed-since': 'an event captured after this sweep began tells other values; sweep again',
    'not-listed': 'captured with an issue date in the range, not listed by the service',
    'no-issue-date': 'captured events of it carry no issue date',
    'not-subscribed': 'no event of its creation can come: the subscription does not select the kind',
    'nothing-compared': 'captured events and the service have no value in common that could be compared',
    'not-identified': 'the item has neither a document id nor a Number where one was looked for',
    'other-ids':
      'the item has no Number, and no captured event carries any of the service’s ids, so it may have been captured',
    'items-not-identified':
      'not listed by id, but the service lists items that cannot be joined with events, and it may be one of them',
  } satisfies Record<RowRule, string>,
  cannot: {
    'no-created': 'whether its creation was missed',
    'status-without-event':
      "whether a status event was missed (the service's item has no status, no id to join such events by, or does not say what document it is)",
    'void-without-event':
      "whether a void was missed (the service's item does not say whether it is voided, or has no id to join such events by)",
    'values-differ': 'whether an update was missed',
  } satisfies Record<MissRule, string>,
  reasons: {
    voided: 'likely because it was voided',
    'awaits-fiscal-validation': 'likely because it awaits fiscal validation',
  },
  issuedSince: 'issued after this sweep began, so its answer could not have it; sweep again',
  coverage: {
    listening: 'listening',
    off: 'off',
    asleep: 'asleep',
    'port-lost': 'without its port',
    starting: 'starting',
  },
  kindUnknown: 'kind unknown',
  possibly: ' (possibly)',
  cannotTell: 'cannot tell',
  ignoredBecause: 'ignored because',
  note: 'note',
  evidence: 'evidence',
  recovered: (at: string, status: string) => `recovered ${at}, answered ${status}`,
  difference: (field: string, captured: string | null, service: string | null) =>
    `${field}: captured ${captured ?? 'nothing'}, service ${service ?? 'nothing'}`,
  ignored: ' (ignored)',
  shared: ' (as in every document, so it does not count)',
  sharedDifference: (documents: number, captured: string | null, service: string | null) =>
    `all ${documents} documents; one of them: captured ${captured ?? 'nothing'}, service ${service ?? 'nothing'}`,
  was: (spans: readonly (readonly [state: string, from: string, to: string])[]) =>
    `Acuse was ${spans.map(([state, from, to]) => `${state} from ${from} to ${to}`).join('; ')}`,
  lookalikes: (ids: string) => `rejected or malformed deliveries that name it: ${ids}`,
  answered: (count: number, status: number) => `${count} deliveries of that time were answered ${status}`,
  duplicates: (ids: string) => `duplicates captured: ${ids}`,
  deleted: (count: number) =>
    `${count} ${count === 1 ? 'delivery' : 'deliveries'} of that time ${count === 1 ? 'was' : 'were'} deleted here since`,
  limits: (kinds: readonly string[]): readonly string[] => [
    `The sync routes list invoices, notes and expenses only. Events of these ${kinds.length} kinds cannot be proved: ${kinds.join(', ')}.`,
    'A lost event that a later one superseded leaves no trace: a lost update before a captured update, or a lost status before a later one. No tool can prove it from the routes.',
    'What is compared is the accounting projection: an update of texts or lines that leaves every amount, date and code as it was cannot be seen.',
    'An update is only possibly missed: differing values show that something changed, not that an event was sent and lost. AmountDue alone never counts, since payments change it.',
    'Status events are judged for invoices only, since only invoices emit them. The treasury route lists debts only, so absence from it proves nothing.',
    'A delivery that was deleted here counts as not captured; the evidence says how many of that time were.',
  ],
  joined: (route: string) =>
    `Every page of ${route}-sync of the range was asked for, and each document of it joined with its captured events by document id, ignoring case; without one by Number.`,
  compared:
    'Numbers are compared as exact decimals, also where they are written as text; dates at the precision of the less exact side, and without offset in the time zone above; other text exactly.',
  byNumber: 'The items of this service carry no document id: documents were joined by Number.',
  byOtherIds:
    'No captured event carries any of the service’s ids: documents were joined by Number. Events that carry no Number, such as dgii and void events, cannot be told.',
  joins: { id: 'id', number: 'number' },
  covered: (first: string, length: number) => `${first}… (${length} characters)`,

  title: (connection: string) => `Reconciliation of ${connection}`,
  intro: 'Captured webhook deliveries compared with the records of the service itself.',
  scope: {
    connection: 'Connection',
    endpoints: 'Endpoints',
    kinds: 'Subscribed kinds',
    zone: 'Time zone',
    ignoredFields: 'Fields that do not count',
    notYetDue: 'Not yet due',
    documentTypes: 'Events of document types',
    personal: 'Personal data',
    recovery: 'Recovery',
    made: 'Made',
  },
  all: 'all',
  allKinds: 'all 28',
  none: 'none',
  notYetDue: (hours: number, minutes: number) =>
    `issued less than ${hours} h ago and first returned less than ${minutes} min ago`,
  neverDue: 'never: as the connection says, what is missing counts as missing at once',
  masked: 'names of customers and suppliers are covered; notes stand as they were typed',
  unmasked: 'shown',
  recovery: (target: string, events: number, sent: number, failed: number) =>
    `${events} events rebuilt as synthetic deliveries and sent to ${target}: ${sent} taken, ${failed} failed`,
  madeBy: (at: string, version: string) => `${at} by Acuse ${version}`,
  states: {
    running: 'running',
    paused: 'paused',
    complete: 'complete',
    incomplete: 'incomplete',
    failed: 'failed',
    cancelled: 'cancelled',
  },
  incomplete: (state: string) =>
    `This sweep is not complete (${state}): what is missing here is missing, but there may be more.`,
  unreached: (from: string, to: string, count: number) =>
    `It did not list all documents issued from ${from} to ${to}: ${count} captured ${count === 1 ? 'document' : 'documents'} of these dates ${count === 1 ? 'is' : 'are'} not reached and in no class.`,
  /** Null: the sentence of the service or the sweep itself is in English already and says more. */
  problems: null as Readonly<Record<string, string>> | null,
  facts: {
    dates: 'Issue dates',
    documentType: 'Document type',
    sweep: 'Sweep',
    compared: 'Compared',
    missingIssued: 'Missing documents issued',
    recovered: 'Recovered',
  },
  beginning: 'the beginning',
  end: 'the end',
  range: (from: string, to: string) => `${from} to ${to}`,
  sweep: (s: {
    readonly id: number
    readonly documents: number
    readonly pages: number
    readonly pageSize: number
    readonly requests: number
    readonly retries: number
  }) =>
    `${s.id}; documents: ${s.documents}; pages: ${s.pages}, of at most ${s.pageSize} items; requests: ${s.requests}, of which tried again: ${s.retries}`,
  stake: (amount: string, count: number) =>
    `${amount} in ${count} missing ${count === 1 ? 'document' : 'documents'}`,
  leftToRecover: (recovered: number, left: number) =>
    `${recovered} ${recovered === 1 ? 'document' : 'documents'}; ${left} with missed events not recovered`,
  headings: {
    method: 'Method',
    result: 'Result',
    money: 'Money at stake',
    missedEvents: 'Missed events',
    shared: 'Different in every document: another representation or meaning, which makes none differ',
    documents: 'Documents other than matched',
    limits: 'What cannot be known',
  },
  columns: {
    class: 'Class',
    documents: 'Documents',
    meaning: 'Meaning',
    kind: 'Kind',
    events: 'Events',
    document: 'Document',
    number: 'Number',
    documentId: 'Document id',
    issued: 'Issued',
    party: 'Party',
    total: 'Total',
    missed: 'Missed',
    known: 'What is known',
    missedAndKnown: 'Missed, and what is known',
  },
  noDocuments: 'None.',
  unlisted: (listed: number, more: number) =>
    `Only the first ${listed} are listed, by issue date; the other ${more} are counted above. Sweep a shorter range to list them.`,
  csv: {
    route: 'route',
    complete: 'complete',
    joined_by: 'joined_by',
    document_id: 'document_id',
    number: 'number',
    class: 'class',
    issued_at: 'issued_at',
    party: 'party',
    total: 'total',
    currency: 'currency',
    missed_kinds: 'missed_kinds',
    rules: 'rules',
    certainty: 'certainty',
    cannot_tell: 'cannot_tell',
    captured_status: 'captured_status',
    service_status: 'service_status',
    captured_events: 'captured_events',
    differences: 'differences',
    remarks: 'remarks',
    evidence: 'evidence',
    recovered_at: 'recovered_at',
    recovered_answer: 'recovered_answer',
  },
  yes: 'yes',
  no: 'no',
  certainties: { missed: 'missed', possibly: 'possibly' },
}

/** Everything that a report says in words. */
export type ReportWords = typeof english
