import type { Kind } from '#catalog/kinds.ts'

export const SYNC_ROUTES = ['accounting', 'treasury'] as const
export type SyncRoute = (typeof SYNC_ROUTES)[number]

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

export const SWEEP_STATES = ['running', 'paused', 'complete', 'incomplete', 'failed', 'cancelled'] as const
export type SweepState = (typeof SWEEP_STATES)[number]

export const SWEEP_PROBLEMS = [
  'refused',
  'unauthorised',
  'redirected',
  'not-json',
  'unknown-page',
  'truncated',
  'unreachable',
  'too-many-requests',
  'server-error',
  'no-progress',
  'repeated-cursor',
  'unseen-types',
  'order-unknown',
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
}
