import type { Kind } from '#catalog/kinds.ts'
import type { DeliveryRow, Header } from './delivery.ts'
import type { AttemptError } from './replay.ts'
import type { CoverageSpan } from './status.ts'

export const SYNC_ROUTES = ['accounting', 'treasury'] as const
export type SyncRoute = (typeof SYNC_ROUTES)[number]
/** `both`: one after the other, accounting first. */
export const ROUTE_CHOICES = [...SYNC_ROUTES, 'both'] as const
export type RouteChoice = (typeof ROUTE_CHOICES)[number]

/** Defaults of a new connection. */
export const DEFAULT_CONNECTION: Omit<Connection, 'name' | 'baseUrl'> = {
  endpoints: [],
  kinds: null,
  zone: 'America/Santo_Domingo',
  apiKey: 'none',
  pluginToken: 'none',
  pluginHeader: { name: 'Authorization', scheme: 'Bearer' },
  timeouts: { connectMs: 10_000, answerMs: 60_000, totalMs: 300_000 },
  proxy: 'environment',
  acceptAnyCertificate: false,
  mapping: null,
  documentTypes: [],
  documentTypesComplete: false,
  notYetDue: { issuedHours: 24, returnedMinutes: 10 },
  ignoredFields: ['AmountDue'],
}

/** Where a value of a sync item is found: RFC 6901 pointer into the item; null when it could not be. */
export interface ItemMapping {
  readonly documentId: string | null
  readonly number: string | null
  readonly issuedAt: string | null
  readonly documentType: string | null
  readonly status: string | null
  readonly voided: string | null
  readonly accounting: string | null
}
export type MappedField = keyof ItemMapping

/** Groups of kinds that are about documents of the sync routes, as their names begin: `factura` is the group of `factura.created`. */
export const DOCUMENT_GROUPS = ['factura', 'nota_credito', 'nota_debito', 'gasto'] as const
export type DocumentGroup = (typeof DOCUMENT_GROUPS)[number]

/** Which events the documents of a type have, said by a person (readings, Reconciling, "Rebuilding"). */
export interface MappedDocumentType {
  /** DocumentTypeId of a sync item. */
  readonly id: number
  readonly group: DocumentGroup
}
/** As many document types as a connection says it of. */
export const MOST_DOCUMENT_TYPES = 100

export type CredentialPlace =
  /** None given. */
  | 'none'
  /** In the secret store. */
  | 'stored'
  /** `ACUSE_API_KEY` or `ACUSE_PLUGIN_TOKEN` in the environment of the process. */
  | 'environment'

/** An account of the service: whose deliveries are compared with what its sync routes say. */
export interface Connection {
  /** Identity, as an endpoint's. */
  readonly name: string
  /** Endpoints whose deliveries belong to it; empty: all. */
  readonly endpoints: readonly string[]
  /** Kinds that the service's subscription has; null: all 28. */
  readonly kinds: readonly Kind[] | null
  /** IANA name; dates typed without time mean whole days here. */
  readonly zone: string
  /** Without the routes' own path and without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: CredentialPlace
  readonly pluginToken: CredentialPlace
  /** How the plugin's token travels; an empty scheme sends the token alone. */
  readonly pluginHeader: { readonly name: string; readonly scheme: string }
  readonly timeouts: { readonly connectMs: number; readonly answerMs: number; readonly totalMs: number }
  /** `environment`: HTTP_PROXY and its like; `none`; or a proxy's address. */
  readonly proxy: string
  readonly acceptAnyCertificate: boolean
  /** Corrections of what is found by name; null: as found. */
  readonly mapping: Partial<ItemMapping> | null
  /** Which events documents of a type have, for those of which neither captures nor the Number tell it; each id stands once. */
  readonly documentTypes: readonly MappedDocumentType[]
  /** The user states that `documentTypes` names every type of the service: a date that was listed type by type counts as whole then. */
  readonly documentTypesComplete: boolean
  /** A document is not yet due while issued within `issuedHours` and first returned less than `returnedMinutes` ago. */
  readonly notYetDue: { readonly issuedHours: number; readonly returnedMinutes: number }
  /** Fields of the accounting projection whose differences do not count. */
  readonly ignoredFields: readonly string[]
}

export interface SweepRange {
  readonly route: SyncRoute
  /** Full date-times with offset, as sent. Treasury may leave both out. */
  readonly from: string | null
  readonly to: string | null
  readonly documentTypeId: number | null
  /** 1 to 500. */
  readonly pageSize: number
}

/** A range as it is asked for: of one route, or of both. */
export interface SweepRequest extends Omit<SweepRange, 'route'> {
  readonly route: RouteChoice
}

export const SWEEP_STATES = ['running', 'paused', 'complete', 'incomplete', 'failed', 'cancelled'] as const
export type SweepState = (typeof SWEEP_STATES)[number]

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
export interface SweepProblem {
  readonly code: (typeof SWEEP_PROBLEMS)[number]
  readonly message: string
  readonly params: Readonly<Record<string, string | number>>
}

/** One walk over a sync route. */
export interface Sweep {
  readonly id: number
  readonly connection: string
  readonly range: SweepRange
  readonly state: SweepState
  /** Why it is incomplete or failed; for a complete one empty. */
  readonly problems: readonly SweepProblem[]
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number | null
  readonly requests: number
  readonly retries: number
  readonly pages: number
  /** Items that came, repeated ones included, and documents among them. */
  readonly items: number
  readonly documents: number
  /** Issue date that the walk has reached, as sent by the service. */
  readonly reached: string | null
  /** Of the items so far; null before the first. */
  readonly mapping: ItemMapping | null
}

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
  'matched',
] as const
export type DocumentClass = (typeof CLASSES)[number]

/** Rules by which an event counts as missed; `cannot-tell` where the item lacks what a rule needs. */
export const MISS_RULES = [
  'no-created',
  'status-without-event',
  'void-without-event',
  'values-differ',
] as const
export type MissRule = (typeof MISS_RULES)[number]

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
  /** Captured and not listed, but the sweep has items that name no document. */
  'items-not-identified',
] as const
export type RowRule = (typeof ROW_RULES)[number]

export type LikelyReason = 'voided' | 'awaits-fiscal-validation'

export interface Missed {
  /** Null when the item does not say which kind it would have been. */
  readonly kind: Kind | null
  readonly rule: MissRule
  /** `possibly`: values differ, which an update explains but does not prove. */
  readonly certainty: 'missed' | 'possibly'
}

/** One field that has another value on the other side. Texts are the sources as sent. */
export interface FieldDifference {
  readonly field: string
  readonly captured: string | null
  readonly service: string | null
  readonly ignored: boolean
  /** Every document differs in it: another representation or meaning, which says nothing of this one. */
  readonly shared: boolean
}

/** A field whose values differ in every document that has it on both sides. */
export interface SharedDifference {
  readonly field: string
  readonly documents: number
  /** Of one document. */
  readonly captured: string | null
  readonly service: string | null
}

/** What came when one item was asked for. */
export interface ConnectionTest {
  readonly ok: boolean
  /** Null: no answer. */
  readonly status: number | null
  /** A sentence: what came, and what to do where it is not well. */
  readonly message: string
  /** Items on the page that came; null when it was none. */
  readonly items: number | null
  readonly mapping: ItemMapping | null
  /** First item as sent, at most 20,000 characters; or the beginning of a refusal's body. */
  readonly sample: string | null
}

/** One document of a reconciliation. */
export interface DocumentRow {
  /** Identity within the reconciliation: the document id in lower case; where there is none `number:` and the Number. */
  readonly key: string
  readonly documentId: string | null
  readonly number: string | null
  readonly class: DocumentClass
  /** Microseconds since the epoch. */
  readonly issuedAt: number | null
  readonly party: string | null
  /** Digits as sent. */
  readonly total: string | null
  readonly currency: string | null
  readonly missed: readonly Missed[]
  /** Why it is in its class; empty for a matched document only. */
  readonly rules: readonly RowRule[]
  readonly cannotTell: readonly MissRule[]
  /** Fields that differ, without those that are ignored or in which every document differs. */
  readonly differences: readonly string[]
  readonly likelyReason: LikelyReason | null
  /** Webhook only because it was issued after the sweep began: the service could not list it when it was asked. */
  readonly issuedSince: boolean
  /** Captured events of it, in order; synthetic ones left out. */
  readonly events: readonly Kind[]
  readonly capturedStatus: number | null
  readonly serviceStatus: number | null
  readonly note: string | null
  readonly ignored: string | null
  /** The latest successful attempt of a rebuilt event of it; `at` in microseconds since the epoch. */
  readonly recovered: { readonly at: number; readonly status: number } | null
}

/** One document in full: captured life at the left, the service's record at the right. */
export interface DocumentComparison {
  readonly row: DocumentRow
  readonly differences: readonly FieldDifference[]
  /** Every captured delivery of it, synthetic ones included (marked), in order of arrival. */
  readonly deliveries: readonly DeliveryRow[]
  /** The sync item byte for byte as text; null when the service does not list it. */
  readonly item: string | null
  /** The same of the other route, where that was swept too. */
  readonly otherItem: string | null
  readonly mapping: ItemMapping | null
  /** What Acuse knows about the time at which each missed event should have come. */
  readonly evidence: readonly Evidence[]
}

/** Clues to why an event was missed; none of them proves it. */
export type Evidence =
  /** Acuse was not listening at that time. */
  | { readonly type: 'coverage'; readonly spans: readonly CoverageSpan[] }
  /** Rejected or malformed deliveries whose bytes name the document or its number. */
  | { readonly type: 'lookalike'; readonly deliveries: readonly DeliveryRow[] }
  /** The endpoint answered other than 2xx around that time. */
  | { readonly type: 'answers'; readonly status: number; readonly count: number }
  | { readonly type: 'duplicates'; readonly deliveries: readonly DeliveryRow[] }
  /** So many deliveries that arrived around that time were deleted here since. */
  | { readonly type: 'deleted'; readonly count: number }

export interface ReconciliationSummary {
  readonly sweep: Sweep
  /** Milliseconds since the epoch: when the two sides were compared. */
  readonly comparedAt: number
  readonly counts: Readonly<Record<DocumentClass, number>>
  /** Missed events by kind; `unknown` where the item does not say which. */
  readonly missedEvents: Readonly<Partial<Record<Kind | 'unknown', number>>>
  /** Sum of the totals of missing documents, exact, by currency. */
  readonly atStake: readonly {
    readonly currency: string
    readonly amount: string
    readonly documents: number
  }[]
  /** Issue dates of the first and last missing document, microseconds. */
  readonly firstMissing: number | null
  readonly lastMissing: number | null
  /** By day of issue in the connection's zone, `2026-10-05`. */
  readonly days: readonly { readonly day: string; readonly counts: Readonly<Record<DocumentClass, number>> }[]
  /** Missing documents ignored with a reason; they stay in `counts`. */
  readonly ignored: number
  /** Documents of which a rebuilt event was taken; they stay in their class: the capture still lacks them. */
  readonly recovered: number
  /** Documents with an event missed for certain of which not every such event was rebuilt and taken, and that are not ignored. */
  readonly notRecovered: number
  /**
   * Captured documents of issue dates that the sweep did not list whole: in no class, since the service may list them. Zero for a
   * complete sweep.
   */
  readonly notReached: number
  /** These issue dates, microseconds since the epoch, both ends included; rising, at most UNREACHED_SAID. */
  readonly unreached: readonly { readonly from: number; readonly to: number }[]
  /** Fields in which every document differs, said once: another representation or meaning. With the values of one document as sent. */
  readonly sharedDifferences: readonly SharedDifference[]
  /** No captured event carries any of the service's ids, so documents were joined by Number. Absent: they do. */
  readonly joinedByNumber?: boolean
  /** Captured deliveries that were still waiting for their analysis; what seems missed may be among them. Absent: none. */
  readonly unjudged?: number
}
export const UNREACHED_SAID = 50

export interface Recovery {
  /** Events rebuilt, or that would be. */
  readonly events: number
  readonly documents: number
  /** Synthetic deliveries made, from the first to the last id; null with `dryRun`. */
  readonly ids: { readonly first: number; readonly last: number } | null
  /** Documented fields that the items lack, with how many events lack them. */
  readonly absent: readonly { readonly kind: Kind; readonly field: string; readonly events: number }[]
  /** Why documents were left out. */
  readonly left: readonly {
    readonly reason:
      | 'kind-unknown'
      | 'no-document-id'
      | 'only-possibly-missed'
      | 'already-rebuilt'
      | 'ignored'
      | 'invalid'
    readonly documents: number
  }[]
}

export interface PublishAnswer {
  readonly ok: boolean
  readonly status: number | null
  /** A sentence in English: what the specification says about this answer, or why none came. */
  readonly message: string
  /** Why no answer came, or not the whole of it. */
  readonly error: AttemptError | null
  /** Microseconds from the first step of sending. */
  readonly tookUs: number
  readonly headers: readonly Header[]
  /** At most 20,000 characters. */
  readonly body: string
}
