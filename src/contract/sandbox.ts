import type { Group, Kind } from '#catalog/kinds.ts'
import type { DeliveryMethod, PluginEventType } from '#catalog/service.ts'

/** Shapes of the sandbox's admin API (docs/reference/sandbox-api.md), as commands give them on. Its times are ISO 8601 in UTC. */

export type SandboxStatus = { readonly running: false } | { readonly running: true; readonly url: string }

export interface SandboxWorkspace {
  readonly name: string
  /** On any other than WEBHOOK_PLAN nothing is dispatched and nothing warns (What the service does, rule 4). */
  readonly plan: string
  /** Offset of Timestamp, such as "-04:00". */
  readonly offset: string
}

/** A fault that befalls a share (0 to 1) of the deliveries, of some kinds or (null) of all. */
export interface SandboxFault {
  readonly share: number
  readonly kinds: readonly Kind[] | null
}

/** What goes beyond the real service; everything off by default. Shares are 0 to 1, times milliseconds up to 60,000. */
export interface SandboxLaboratory {
  readonly seed: number
  readonly lose: SandboxFault
  readonly delay: SandboxFault & { readonly leastMs: number; readonly mostMs: number }
  readonly duplicate: SandboxFault
  readonly reorder: SandboxFault & { readonly holdMs: number }
  readonly cut: SandboxFault
  readonly sync: {
    readonly fault: 'none' | 'error-500' | 'error-429' | 'slow' | 'truncated'
    readonly share: number
    readonly retryAfterSeconds: number
    readonly slowMs: number
    readonly casing: 'documented' | 'camel' | 'lower' | 'upper' | 'snake'
    readonly nesting: 'documented' | 'data' | 'accounting'
    readonly order: 'documented' | 'descending' | 'shuffled'
    readonly reduce: 'none' | 'id-accounting' | 'number-accounting'
  }
}

/** Members left out stay as they are, inside the parts too. */
export type SandboxLaboratoryChange = {
  readonly [P in keyof SandboxLaboratory]?: SandboxLaboratory[P] extends object
    ? Partial<SandboxLaboratory[P]>
    : SandboxLaboratory[P]
}

export interface SandboxTrafficSettings {
  /** Events per second, 0.01 to 500. */
  readonly rate: number
  /** Weight of each kind; those not named do not come. */
  readonly mix: Readonly<Partial<Record<Kind, number>>>
  readonly seed: number
  /** Ends by itself after so many events, and after so many seconds. */
  readonly count: number
  readonly seconds: number
}
export interface SandboxTraffic {
  readonly running: boolean
  readonly settings: SandboxTrafficSettings | null
  /** Events made since the start. */
  readonly made: number
  /** Why it ended; null while it runs or when it never ran. */
  readonly ended: string | null
}

export interface SandboxScenario {
  readonly slug: string
  readonly title: string
  readonly summary: string
  readonly takesCount: boolean
}

export interface SandboxOperation {
  readonly name: string
  readonly summary: string
  readonly parameters: readonly {
    readonly name: string
    readonly type: 'string' | 'integer' | 'decimal' | 'boolean' | 'uuid'
    readonly required: boolean
    readonly summary: string
    /** The values it may have; absent where it is free. */
    readonly values?: readonly string[]
  }[]
}

export interface SandboxState {
  readonly workspace: SandboxWorkspace
  /** Whether the plan lets webhooks be dispatched. */
  readonly dispatches: boolean
  readonly counts: {
    readonly documents: number
    readonly customers: number
    readonly suppliers: number
    readonly products: number
    readonly events: number
  }
  readonly subscriptions: number
  readonly keys: number
  readonly plugins: number
  readonly laboratory: SandboxLaboratory
  readonly traffic: SandboxTraffic
  /** Entries of the log about events; tests and plugin events are in no count. */
  readonly log: {
    readonly outcomes: Readonly<Partial<Record<SandboxOutcome, number>>>
    readonly lost: number
  }
  /** Deliveries that wait, are held back or are under way. */
  readonly pending: number
  readonly kinds: readonly { readonly kind: Kind; readonly group: Group }[]
  readonly scenarios: readonly SandboxScenario[]
}

export interface SandboxHeader {
  readonly name: string
  /** A description when masked. */
  readonly value: string
  /** The value is a credential; save it as null to leave it as it is. */
  readonly masked: boolean
}

export interface SandboxSubscription {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly method: DeliveryMethod
  readonly headers: readonly SandboxHeader[]
  readonly kinds: readonly Kind[]
  readonly active: boolean
  /** Sentences for the person. */
  readonly warnings: readonly string[]
}

/** Members left out stay as they are; of a new one only `url` is needed, and it gets all 28 kinds by POST. */
export interface SandboxSubscriptionChange {
  /** Absent for a new one. */
  readonly id?: number
  readonly name?: string
  readonly url?: string
  readonly method?: DeliveryMethod
  /** `value: null` keeps what the header of that name (in its place among those of the name) has now. */
  readonly headers?: readonly { readonly name: string; readonly value: string | null }[]
  readonly kinds?: readonly Kind[]
  readonly active?: boolean
}

export interface SandboxEvent {
  /** Order of emission; never reused. */
  readonly seq: number
  readonly kind: Kind
  readonly subject: string
  /** The exact body sent. */
  readonly body: string
}

/** Events made by one call; their deliveries stand in the log under `run`. */
export interface SandboxEmitted {
  readonly run: string
  readonly events: readonly SandboxEvent[]
}

export interface SandboxRun {
  readonly run: string
  /** Still making events. */
  readonly running: boolean
  /** Events made so far. */
  readonly events: number
  /** Deliveries that wait or are under way. */
  readonly pending: number
  /** Why it ended early. */
  readonly error: string | null
}

/** The log keeps the newest ones; up to 1,500 more may stand in it until it is tidied up. */
export const SANDBOX_LOG_KEPT = 100_000

/** Connectivity tests and plugin events are logged apart from events. */
export const SANDBOX_LOG_TYPES = ['event', 'test', 'plugin'] as const
export type SandboxLogType = (typeof SANDBOX_LOG_TYPES)[number]

/** What became of an event at one subscription. */
export const SANDBOX_OUTCOMES = [
  ...(['delivered', 'refused', 'failed', 'timed-out', 'cut'] as const),
  ...(['lost', 'not-dispatched'] as const),
] as const
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number]

/** Which entries of the log; members left out ask for nothing. */
export interface SandboxLogFilter {
  readonly type?: SandboxLogType
  readonly outcome?: SandboxOutcome
  readonly lost?: boolean
  readonly superseded?: boolean
  readonly kind?: string
  readonly subject?: string
  readonly subscription?: number
  readonly run?: string
  /** Text looked for in kind, subject, address, request, answer and error, whatever its case. */
  readonly q?: string
}
export interface SandboxLogQuery extends SandboxLogFilter {
  /** `oldest` when left out. */
  readonly order?: 'oldest' | 'newest'
  /** The last id of the page before. */
  readonly after?: number
  /** 1 to 1,000; 100 when left out. */
  readonly limit?: number
}

export interface SandboxLogBrief {
  readonly id: number
  readonly type: SandboxLogType
  readonly run: string | null
  /** Of the event; null when the entry is about none. */
  readonly seq: number | null
  readonly kind: string
  readonly subject: string | null
  /** The operation or scenario that caused it. */
  readonly cause: string
  /** Subscription, or the receiving plugin. */
  readonly subscription: { readonly id: number; readonly name: string }
  readonly outcome: SandboxOutcome
  /** The event did not reach this target, by whatever cause. */
  readonly lost: boolean
  /** Number of the event that left no trace of this lost one. */
  readonly supersededBy: number | null
  /** What the laboratory did, in words. */
  readonly laboratory: readonly string[]
  readonly error: string | null
  readonly at: string
  readonly durationMs: number | null
  readonly method: string
  readonly url: string
  readonly status: number | null
}

export interface SandboxLogEntry extends SandboxLogBrief {
  /** `head` is null when nothing was sent; then `body` is what would have been. Credentials in it are masked unless revealed. */
  readonly request: { readonly head: string | null; readonly body: string }
  readonly answer: {
    readonly status: number
    readonly head: string
    readonly body: string
    /** How `body` stands here: text where the answer was UTF-8, else base64. */
    readonly encoding: 'utf8' | 'base64'
    readonly truncated: boolean
  } | null
}

export interface SandboxLogPage<E> {
  readonly entries: readonly E[]
  /** `after` of the next page; null when this one was not full. */
  readonly next: number | null
  /** Entries that the filter finds. */
  readonly total: number
  /** Deliveries that wait or are under way, of `run` where one is given. */
  readonly pending: number
}

/** The key itself is known only to whom it was issued. */
export interface SandboxKey {
  readonly id: number
  readonly name: string
  readonly createdAt: string
}

export interface SandboxPluginSettings {
  readonly name: string
  /** Where other plugins' events are forwarded to; null for a plugin that only publishes. */
  readonly url: string | null
  readonly eventTypes: readonly PluginEventType[]
  readonly active: boolean
}
export interface SandboxPlugin extends SandboxPluginSettings {
  readonly id: number
  readonly createdAt: string
}
