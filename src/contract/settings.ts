import type { DeliveryRow } from './delivery.ts'
import type { Connection } from './reconcile.ts'
import type { Target } from './replay.ts'
import type { Schedule } from './schedules.ts'

/** What an endpoint answers to an accepted delivery. */
export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Milliseconds to wait before answering; storing never waits. */
  readonly delayMs: number
}

/** The header that authenticates deliveries. Its values live in the secret store, never here (Authentication, rule 1). */
export interface SecretHeader {
  readonly header: string
  /** How many values are accepted: 1, or 2 while rotating. */
  readonly values: 1 | 2
}

/** A named path of the receiver. The one with path "/" is the default endpoint: it takes what no other path matches. */
export interface Endpoint {
  /** Identity: unique, 1 to 60 characters of a-z, 0-9 and "-". Deliveries keep the name they came under. */
  readonly name: string
  /** Whole-segment, case-sensitive prefix of the raw request path; the longest match wins. */
  readonly path: string
  /** A disabled endpoint still stores what comes, and answers 404. */
  readonly enabled: boolean
  readonly answer: Answer
  readonly secret: SecretHeader | null
}

/** Where the receiver's certificate comes from: files of the person (PEM, absolute paths), or one that Acuse makes and renews. */
export type ReceiverTls =
  | { readonly certificate: 'generated' }
  | { readonly certificate: string; readonly key: string }

/** What a saved filter may be called: letters, digits, spaces, `.`, `_` and `-`, with a letter or digit at both ends. */
export const FILTER_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u

/** A filter with a name, for the window's menu and for `--filter @name`. */
export interface SavedFilter {
  readonly name: string
  readonly filter: string
  /** Tell of deliveries that match, as they come; left out: do not. */
  readonly notify?: boolean
}

/** Deliveries that a saved filter tells of. Of what was captured a notice shows this much and no more. */
export interface FilterMatches {
  /** Of the filter. */
  readonly name: string
  /** The latest of them. */
  readonly delivery: Pick<DeliveryRow, 'id' | 'kind' | 'number' | 'verdict'>
  /** How many others there are since this filter told last. */
  readonly more: number
}

/**
 * What happens when the store takes more than its budget. `warn`: window and terminal say so, and nothing else. `delete-oldest`: the trash
 * is emptied, then the oldest deliveries that are not pinned go. `refuse`: deliveries are answered 503 and not kept.
 */
export const OVER_BUDGET = ['warn', 'delete-oldest', 'refuse'] as const
export type OverBudget = (typeof OVER_BUDGET)[number]

export interface Settings {
  readonly receiver: {
    readonly host: string
    readonly port: number
    /** Bodies beyond this many bytes are cut: the head is kept, marked, answered 413. */
    readonly bodyLimit: number
    /** Connections that may be open at a time, in all and of one address; a proxy or tunnel in front is one address. */
    readonly maxConnections: number
    readonly maxConnectionsPerAddress: number
    /** Null: plain HTTP. */
    readonly tls: ReceiverTls | null
    /** The address that was given to the service, when it is not the receiver's own; null when none was told. */
    readonly publicUrl: string | null
  }
  readonly endpoints: readonly Endpoint[]
  /** Headers that carried a secret once, in lower case: what came in them stays covered. Absent: none. */
  readonly formerSecretHeaders?: readonly string[]
  readonly targets: readonly Target[]
  /** Name of the target that was sent to last; null when there is none. */
  readonly defaultTarget: string | null
  /** Accounts of the service whose records are compared with what was captured. */
  readonly connections: readonly Connection[]
  /** Sweeps that are made by themselves. */
  readonly schedules: readonly Schedule[]
  readonly savedFilters: readonly SavedFilter[]
  readonly masking: {
    /**
     * Names of headers and parameters whose values are masked, besides those that core/masking.ts lists and the secret headers of the
     * endpoints; in its form, so `!name` shows what the list would mask.
     */
    readonly names: readonly string[]
  }
  readonly retention: {
    /** Bytes of disk that the store may take. */
    readonly budgetBytes: number
    readonly overBudget: OverBudget
    /** Quotas of what a sender gets kept without being accepted: the newest so many, of so many bytes in all. */
    readonly rejectedDeliveries: number
    readonly rejectedBytes: number
    readonly malformedDeliveries: number
    readonly malformedBytes: number
  }
  readonly desktop: {
    /**
     * The receiver of the desktop app goes on, in the tray, when its last window is closed. Null: as the platform's programs do it,
     * that is on macOS alone.
     */
    readonly keepReceiving: boolean | null
  }
  readonly appearance: {
    readonly theme: 'system' | 'light' | 'dark'
    readonly language: 'system' | 'en' | 'es'
  }
}

export const DEFAULT_ANSWER: Answer = { status: 200, headers: [], body: '', delayMs: 0 }
export const DEFAULT_ENDPOINT: Endpoint = {
  name: 'default',
  path: '/',
  enabled: true,
  answer: DEFAULT_ANSWER,
  secret: null,
}
export const DEFAULT_SETTINGS: Settings = {
  receiver: {
    host: '127.0.0.1',
    port: 4400,
    bodyLimit: 100 * 1024 * 1024,
    maxConnections: 2_000,
    maxConnectionsPerAddress: 1_500,
    tls: null,
    publicUrl: null,
  },
  endpoints: [DEFAULT_ENDPOINT],
  targets: [],
  defaultTarget: null,
  connections: [],
  schedules: [],
  savedFilters: [],
  masking: { names: [] },
  retention: {
    budgetBytes: 5_000_000_000,
    overBudget: 'warn',
    rejectedDeliveries: 10_000,
    rejectedBytes: 256_000_000,
    malformedDeliveries: 10_000,
    malformedBytes: 256_000_000,
  },
  desktop: { keepReceiving: null },
  appearance: { theme: 'system', language: 'system' },
}
