/** Lists and limits that both sides of a boundary share. The window loads this file before any schema, so it imports nothing. */

/** A verdict is the worst finding of a delivery, in ascending order (docs/spec/readings.md). `test`: a connectivity test, no event. */
export const VERDICTS = ['test', 'valid', 'noted', 'warning', 'invalid', 'unreadable'] as const
/** Level of a finding. The level at index i gives the verdict at index i + 2 of VERDICTS (`note` gives `noted`, …). */
export const LEVELS = ['note', 'warning', 'error', 'unreadable'] as const
/**
 * Why a delivery is not a complete request. `unparseable`: the HTTP parser failed; `expectation`: an Expect header that no server can meet;
 * `cut-off`: the connection ended before the body did; `timeout`: the sender was too slow; `too-large`: the body was truncated.
 */
export const MALFORMED = ['unparseable', 'expectation', 'connect', 'cut-off', 'timeout', 'too-large'] as const
/**
 * Marks of a delivery (readings, Delivery). `replay`: one of our own replays, which is not forwarded. `synthetic`:
 * rebuilt, not received. `imported`: another program received it. `drift`: shows something never observed before, which does not affect
 * the verdict.
 */
export const MARKS = [
  'duplicate',
  'late',
  'out-of-order',
  'replay',
  'drift',
  'synthetic',
  'imported',
  'pinned',
] as const
/** Replaces a credential in a request target. */
export const MASKED = /<masked: \d+ characters>/g
/** Maximum findings listed in a detail; the row has the full count. */
export const FINDINGS_KEPT = 500

/** Formats for copying deliveries. `json`: one object per line; `curl`: one POSIX shell command each. */
export const COPY_FORMS = ['json', 'curl'] as const
/** Maximum bytes of a body that a copy includes. */
export const MOST_COPIED_BODY = 1_048_576

/** What is missing from a document's captured events, or impossible in their order by `Timestamp`. */
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
/** Facts of a document whose changes its life tells. */
export const DOCUMENT_FACTS = [
  'statusId',
  'number',
  'total',
  'currency',
  'party',
  'issuedAt',
  'documentType',
  'modifies',
] as const
/** Maximum steps listed for a document; the rest is counted. */
export const STEPS_KEPT = 500

/** JSON types as receivers distinguish them. `integer`: digits only; `5.0` and `1e3` are decimals. */
export const SHAPE_TYPES = ['string', 'integer', 'decimal', 'boolean', 'null', 'object', 'array'] as const
/** `instant`: with an offset; `date-time`: without one; `money`: digits with a sign, a point or thousands separators; `text`: the rest. */
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
/** Deviations from earlier deliveries (docs/spec/readings.md). `new-field`: neither documented nor seen; `gone`: newly absent. */
export const DRIFT_CODES = ['new-field', 'type-changed', 'format-changed', 'now-null', 'gone'] as const
/** Deliveries needed to learn a place; until then nothing there counts as drift. */
export const LEARNING_DELIVERIES = 20
/** Consecutive deliveries with a field before its absence counts as drift. */
export const STEADY_DELIVERIES = 50
/** Maximum places, types and formats stored per kind. */
export const SHAPES_KEPT = 2_000
/** Maximum distinct values stored per field, and the maximum length of one. */
export const VALUES_KEPT = 32
export const VALUE_LENGTH = 40
export const FACTS_KEPT = 50

export const TIMELINE_BY = ['verdict', 'group'] as const
export const MOST_BUCKETS = 2_000

/** Milliseconds during which a deletion can be undone. */
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

/** Methods that the service may use (readings, Delivery); the first is the default. */
export const SELF_TEST_METHODS = ['POST', 'PUT', 'GET'] as const
/** Header that marks a self-test; its value is the token of that test. */
export const SELF_TEST_HEADER = 'X-Acuse-Self-Test'
/** `Event` of self-tests and of the service's connectivity test. Not one of the 28, so it never counts as an event. */
export const SELF_TEST_EVENT = 'test.connection'
/** Likely causes of an answer that is not Acuse's own. */
export const ANSWER_HINTS = [
  'redirect',
  'protected',
  'tunnel-offline',
  'tunnel-upstream',
  'gateway',
  'other-server',
] as const

/** What raises an alert. `missed`: a scheduled sweep found missed events; `invalid`: deliveries arrive that a filter selects. */
export const ALERT_CAUSES = ['missed', 'invalid', 'silence', 'receiver-off'] as const
/** Why an alert's message did not get through, besides ATTEMPT_ERRORS. `status`: the answer was no 2xx; `exit`: the program failed. */
export const ALERT_PROBLEMS = ['status', 'exit', 'too-slow', 'not-run', 'target-gone'] as const
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Newest entries kept in the sandbox's log; trimming allows up to 1,500 more. */
export const SANDBOX_LOG_KEPT = 100_000
/** The log separates connectivity tests and plugin events from events. */
export const SANDBOX_LOG_TYPES = ['event', 'test', 'plugin'] as const
/** Result of delivering an event to one subscription. */
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

/** `document`: number if any event has one, else document id. `tags`: the first tag alphabetically. `timestamp`: that of the event. */
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

/** Action beyond the budget. `delete-oldest`: empties the trash, then deletes the oldest unpinned deliveries. `refuse`: answers 503. */
export const OVER_BUDGET = ['warn', 'delete-oldest', 'refuse'] as const

export const COVERAGE_STATES = ['listening', 'off', 'asleep', 'port-lost', 'starting', 'update'] as const

/** Allowed names of saved filters: letters, digits, spaces, `.`, `_` and `-`, starting and ending with a letter or digit. */
export const FILTER_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u

export const REPLAY_HEADER = 'X-Acuse-Replay'
/** Header that marks a rebuilt delivery; stored with the delivery, so every replay has it. */
export const SYNTHETIC_HEADER = 'X-Acuse-Synthetic'
/** `sending`: in flight; `answered`: with any status; `failed`: without an answer; `uncertain`: Acuse ended while it was in flight. */
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
/** Reasons of a `tls` error that concern the certificate alone. */
export const CERTIFICATE_REASONS = [
  'self-signed',
  'unknown-issuer',
  'expired',
  'not-yet-valid',
  'revoked',
  'wrong-name',
  'certificate',
] as const
export const TLS_REASONS = [
  ...CERTIFICATE_REASONS,
  'not-tls',
  'client-certificate',
  'unknown-name',
  'protocol-version',
  'no-common-cipher',
  'closed',
  'handshake',
] as const
/** Maximum bytes kept of an answer's body. */
export const ANSWER_KEPT = 10 * 1024 * 1024
/** Why a selected delivery is not sent. `malformed` ones cannot be sent exactly; the others are sent if `include` names them. */
export const EXCLUSIONS = ['malformed', 'rejected', 'replay'] as const
/** `stopped`: the job reached `stopAfterFailures`; it can be resumed like a paused one. */
export const JOB_STATES = ['running', 'paused', 'stopped', 'done', 'cancelled'] as const

export const SYNC_ROUTES = ['accounting', 'treasury'] as const
/** `both`: accounting first, then treasury. */
export const ROUTE_CHOICES = [...SYNC_ROUTES, 'both'] as const
/** Groups of kinds about documents of the sync routes, named by their prefix: `factura` for `factura.created`. */
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
/** Why a page of a sync route is unusable or a sweep ended early; in `params.why` of a problem, with the placeholders of its sentence. */
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
  /** No value could be compared, so agreement is unknown. */
  'cannot-tell',
  /** Missing or differing, but all missed events were rebuilt, sent and accepted by a target. */
  'recovered',
  'matched',
] as const
/** Rules by which an event counts as missed; `cannot-tell` when the item lacks a value that the rule needs. */
export const MISS_RULES = [
  'no-created',
  'status-without-event',
  'void-without-event',
  'values-differ',
] as const
/** Why a document is in its class: the rules for missed events, and rules that imply no missed event. */
export const ROW_RULES = [
  ...MISS_RULES,
  /** Amounts changed, which a credit or debit note captured later explains. */
  'note-explains',
  /** Only AmountDue differs; payments change it. */
  'amount-due',
  'void-not-in-service',
  /** An event captured after the sweep began has another value. */
  'changed-since',
  'not-listed',
  'no-issue-date',
  'not-subscribed',
  'nothing-compared',
  /** The item has neither a document id nor a Number. */
  'not-identified',
  /** The item has no Number and no captured event has any item's id, so the service may use other ids here. */
  'other-ids',
  /** Captured but not listed, while the sweep has items that cannot be joined with events. */
  'items-not-identified',
] as const
/** Maximum ranges of dates that a summary lists as not reached. */
export const UNREACHED_SAID = 50
/** How a document changed between two sweeps; the first rule that applies wins. */
export const SWEEP_DIFFERENCES = [
  'became-missing',
  'newly-differs',
  'healed',
  /** Captured and formerly listed or unknown, but not listed by the later sweep. */
  'webhook-only',
  /** The class changed in another way, or the document is in one sweep only. */
  'other',
] as const
export const SWEEP_DIFFERENCES_SAID = 200
/** HTML: one printable page without script; CSV: for spreadsheets; JSON: for programs; Markdown: for tickets and wikis. */
export const REPORT_FORMATS = ['html', 'csv', 'json', 'markdown'] as const
export const REPORT_LANGUAGES = ['en', 'es'] as const
/** Maximum documents listed in a report, the earliest first; the counts include all, and the report says how many it omits. */
export const MOST_LISTED = 20_000

export const ROWS_PER_PUSH = 200
export const DELIVERIES_PER_PUSH = 200
