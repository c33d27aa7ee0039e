/** Lists and bounds that both sides of a boundary know. The window loads this file before any schema, so it imports nothing. */

/** Worst finding of a delivery, in rising order (docs/spec/readings.md). `test` stands before it: a connectivity test is no event. */
export const VERDICTS = ['test', 'valid', 'noted', 'warning', 'invalid', 'unreadable'] as const
/** Level of one finding; each makes the verdict of the same place in VERDICTS (`note` makes `noted`, …). */
export const LEVELS = ['note', 'warning', 'error', 'unreadable'] as const
/**
 * Why a row is no whole request. `unparseable`: the HTTP parser gave up; `expectation`: an Expect header that no server can meet;
 * `cut-off`: the connection ended before the body did; `timeout`: the sender was too slow; `too-large`: only its head was kept.
 */
export const MALFORMED = ['unparseable', 'expectation', 'connect', 'cut-off', 'timeout', 'too-large'] as const
/**
 * What the delivery's place says about it (readings, Delivery). `replay`: one of ours come back, and not forwarded. `synthetic`: rebuilt,
 * never received. `drift`: it showed something never observed before, which says nothing about its verdict.
 */
export const MARKS = ['duplicate', 'late', 'out-of-order', 'replay', 'drift', 'synthetic', 'pinned'] as const
/** Stands in the place of a credential within a request target. */
export const MASKED = /<masked: \d+ characters>/g
/** Findings that a detail lists; the row has the full count. */
export const FINDINGS_KEPT = 500

/** Copies. `json`: one object in one line each; `curl`: a command of a POSIX shell each. */
export const COPY_FORMS = ['json', 'curl'] as const
/** A body beyond this is not written out in a copy. */
export const MOST_COPIED_BODY = 1_048_576

/** What the captured life of a document lacks, or tells in an order in which it cannot have happened, by `Timestamp`. */
export const DOCUMENT_GAPS = [
  'no-created',
  'status-before-created',
  'updated-before-created',
  'voided-without-created',
  'after-void',
] as const
export const DOCUMENT_SORTS = [
  'last',
  'first',
  'kind',
  'number',
  'party',
  'total',
  'status',
  'events',
  'gaps',
] as const
/** Steps of a document's life that are told; the rest is counted. */
export const STEPS_KEPT = 500

/** JSON types as far as a receiver's code tells them apart. `integer`: digits only; `5.0` and `1e3` are decimals. */
export const SHAPE_TYPES = ['string', 'integer', 'decimal', 'boolean', 'null', 'object', 'array'] as const
/** `instant` has an offset, `date-time` has none; `money`: digits with a sign, a point or thousands; `text` is everything else. */
export const STRING_FORMATS = [
  'uuid',
  'instant',
  'date-time',
  'date',
  'email',
  'digits',
  'money',
  'empty',
  'text',
] as const
/** What differs from all observed before (docs/spec/readings.md). `new-field`: neither documented nor seen; `gone`: in all before. */
export const DRIFT_CODES = ['new-field', 'type-changed', 'format-changed', 'now-null', 'gone'] as const
/** Deliveries that a place is learned from, before anything seen there is drift. */
export const LEARNING_DELIVERIES = 20
/** Deliveries in a row that show a field, before its absence is drift. */
export const STEADY_DELIVERIES = 50
/** Places, types and formats kept of a kind. */
export const SHAPES_KEPT = 2_000
/** Different values kept of a field, and the longest. */
export const VALUES_KEPT = 32
export const VALUE_LENGTH = 40
export const FACTS_KEPT = 50

export const TIMELINE_BY = ['verdict', 'group'] as const
export const MOST_BUCKETS = 2_000

/** How long a deletion can be undone, milliseconds. */
export const TRASH_KEPT_MS = 86_400_000

export const COUNTED_FIELDS = [
  'kind',
  'group',
  'verdict',
  'endpoint',
  'method',
  'answer',
  'status',
  'tag',
  'is',
  'has',
] as const

/** The methods of the service (readings, Delivery); the one used first stands first. */
export const SELF_TEST_METHODS = ['POST', 'PUT', 'GET'] as const
/** Marks a delivery that Acuse sent to itself; its value is a token of that one test. */
export const SELF_TEST_HEADER = 'X-Acuse-Self-Test'
/** Its `Event`, and that of the service's connectivity test: none of the 28, so it counts as no event anywhere. */
export const SELF_TEST_EVENT = 'test.connection'
/** What an answer points to that is not Acuse's own. */
export const ANSWER_HINTS = [
  'redirect',
  'protected',
  'tunnel-offline',
  'tunnel-upstream',
  'gateway',
  'other-server',
] as const

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The sandbox's log keeps the newest entries; up to 1,500 more may stand in it until it is trimmed. */
export const SANDBOX_LOG_KEPT = 100_000
/** Connectivity tests and plugin events are logged apart from events. */
export const SANDBOX_LOG_TYPES = ['event', 'test', 'plugin'] as const
/** What became of an event at one subscription. */
export const SANDBOX_OUTCOMES = [
  'delivered',
  'refused',
  'failed',
  'timed-out',
  'cut',
  'lost',
  'not-dispatched',
] as const

export const FAULT_TYPES = ['status', 'delay', 'hang', 'reset', 'close-mid-answer'] as const

/** `document`: number where any event told it, else document id. `tags`: the first of its tags in alphabetical order. `timestamp`: what the event says. */
export const SORT_KEYS = [
  'arrival',
  'kind',
  'document',
  'party',
  'total',
  'verdict',
  'tags',
  'endpoint',
  'answer',
  'size',
  'took',
  'timestamp',
  'attempts',
  'method',
  'path',
] as const

/** What happens beyond the budget. `delete-oldest`: the trash is emptied, then the oldest unpinned deliveries go. `refuse`: a 503. */
export const OVER_BUDGET = ['warn', 'delete-oldest', 'refuse'] as const

export const COVERAGE_STATES = ['listening', 'off', 'asleep', 'port-lost', 'starting'] as const

/** What a saved filter may be called: letters, digits, spaces, `.`, `_` and `-`, with a letter or digit at both ends. */
export const FILTER_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u

export const REPLAY_HEADER = 'X-Acuse-Replay'
/** Marks a delivery that was rebuilt; stored with it, so that every replay carries it. */
export const SYNTHETIC_HEADER = 'X-Acuse-Synthetic'
/** `sending`: on its way; `answered`: with any status; `failed`: no answer; `uncertain`: Acuse ended while it was on its way. */
export const ATTEMPT_STATES = ['sending', 'answered', 'failed', 'uncertain'] as const
export const ATTEMPT_ERRORS = [
  'bad-url',
  'destination-refused',
  'own-receiver',
  'name-not-found',
  'connection-refused',
  'connection-failed',
  'connection-closed',
  'tls',
  'connect-timeout',
  'answer-timeout',
  'total-timeout',
  'not-http',
  'proxy',
  'unsendable',
  'delivery-gone',
  'target-gone',
  'cancelled',
] as const
/** Bytes of an answer's body that are kept. */
export const ANSWER_KEPT = 10 * 1024 * 1024
/** Why a delivery of the source is not sent. `malformed` ones cannot be sent exactly; the others are sent when `include` names them. */
export const EXCLUSIONS = ['malformed', 'rejected', 'replay'] as const
/** `stopped`: by its own bound of failures; it can be resumed like a paused one. */
export const JOB_STATES = ['running', 'paused', 'stopped', 'done', 'cancelled'] as const

export const SYNC_ROUTES = ['accounting', 'treasury'] as const
/** `both`: one after the other, accounting first. */
export const ROUTE_CHOICES = [...SYNC_ROUTES, 'both'] as const
/** Groups of kinds that are about documents of the sync routes, as their names begin: `factura` is the group of `factura.created`. */
export const DOCUMENT_GROUPS = ['factura', 'nota_credito', 'nota_debito', 'gasto'] as const
export const MOST_DOCUMENT_TYPES = 100
export const SWEEP_STATES = ['running', 'paused', 'complete', 'incomplete', 'failed', 'cancelled'] as const
export const SWEEP_PROBLEMS = [
  'refused',
  'unauthorised',
  'redirected',
  'not-json',
  'unknown-page',
  'truncated',
  'too-large',
  'unreachable',
  'too-many-requests',
  'server-error',
  'no-progress',
  'repeated-cursor',
  'unseen-types',
  'order-unknown',
  'nameless-items',
  'disk-low',
] as const
/** Why a page of a sync route cannot be used, or a walk ended early: `params.why` of a problem, with the variables of its sentence. */
export const SWEEP_REASONS = [
  'not-utf8',
  'empty',
  'syntax',
  'coding',
  'member',
  'cut',
  'bytes',
  'items',
  'endless',
  'empty-page',
  'unfiltered',
  'stated-types',
  'unstated-types',
] as const
export type SweepReason = (typeof SWEEP_REASONS)[number]
/** Classes of documents (readings, Reconciling). */
export const CLASSES = [
  'missing',
  'differs',
  'webhook-only',
  'not-yet-due',
  'date-unknown',
  'not-subscribed',
  /** No value of it could be compared, so that nothing says whether both sides agree. */
  'cannot-tell',
  /** Missing or differing for want of events that were all rebuilt, sent and taken by a target. */
  'recovered',
  'matched',
] as const
/** Rules by which an event counts as missed; `cannot-tell` where the item lacks what a rule needs. */
export const MISS_RULES = [
  'no-created',
  'status-without-event',
  'void-without-event',
  'values-differ',
] as const
/** Why a document is in its class: rules by which an event counts as missed, and those that accuse no event. */
export const ROW_RULES = [
  ...MISS_RULES,
  /** Amounts moved, which a credit or debit note captured later explains. */
  'note-explains',
  /** AmountDue alone differs, which payments change. */
  'amount-due',
  'void-not-in-service',
  /** An event captured after the sweep began tells another value. */
  'changed-since',
  'not-listed',
  'no-issue-date',
  'not-subscribed',
  'nothing-compared',
  /** The item has neither a document id nor a Number. */
  'not-identified',
  /** The item has no Number, and no captured event carries an id of any item: they may be other ids of the captured documents. */
  'other-ids',
  /** Captured and not listed, but the sweep has items that cannot be joined with events. */
  'items-not-identified',
] as const
/** Stretches of dates that a summary names as not reached. */
export const UNREACHED_SAID = 50
/** What became of a document from one sweep to a later one; the first that applies. */
export const SWEEP_DIFFERENCES = [
  'became-missing',
  'newly-differs',
  'healed',
  /** Listed before, or unknown then; the later sweep does not list it although it was captured. */
  'webhook-only',
  /** Another class, or in one of the two only. */
  'other',
] as const
export const SWEEP_DIFFERENCES_SAID = 200
/** HTML is one page without script, made to be printed; CSV is for spreadsheets; JSON for programs; Markdown for tickets and wikis. */
export const REPORT_FORMATS = ['html', 'csv', 'json', 'markdown'] as const
export const REPORT_LANGUAGES = ['en', 'es'] as const
/** Documents that a report lists one by one at most; the counts are of all. What is left out is the latest, and the report says so. */
export const MOST_LISTED = 20_000

export const ROWS_PER_PUSH = 200
export const DELIVERIES_PER_PUSH = 200
