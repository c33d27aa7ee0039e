import type { Header } from './delivery.ts'

/** A header that a target adds. One of the same name in the delivery is replaced, in its place. */
export interface TargetHeader {
  readonly name: string
  /** Null for a secret: its value lies in the secret store and never leaves the process. */
  readonly value: string | null
  readonly secret: boolean
}

/** Milliseconds. Each phase has its own bound, and the whole has one. */
export interface Timeouts {
  /** Name look-up, connection and TLS. */
  readonly connectMs: number
  /** From the last byte sent to the first byte of the answer. */
  readonly answerMs: number
  readonly totalMs: number
}

/** Where deliveries are sent again: a URL with all that belongs to it. */
export interface Target {
  /** Identity: unique, 1 to 60 characters of a-z, 0-9 and "-". */
  readonly name: string
  /** http or https; without user and password. */
  readonly url: string
  /** Null: as received. */
  readonly method: string | null
  /** `target`: the URL's own; `append`: the delivery's is put behind it. */
  readonly path: 'target' | 'append'
  readonly query: 'target' | 'append'
  readonly headers: readonly TargetHeader[]
  /** Names of headers that are not sent. */
  readonly remove: readonly string[]
  readonly timeouts: Timeouts
  readonly acceptAnyCertificate: boolean
  /** The receiver's secret header goes along even where the target is not loopback (loopback targets always get it). */
  readonly keepSecret: boolean
  /** The delivery's own Cookie and Authorization go along even where the target is not loopback (loopback targets always get them). */
  readonly keepCredentials: boolean
  /** Sends `X-Acuse-Replay: <attempt id>`. */
  readonly markReplays: boolean
}
export const REPLAY_HEADER = 'X-Acuse-Replay'
/** Marks a delivery that was rebuilt; stored with it, so that every replay carries it. */
export const SYNTHETIC_HEADER = 'X-Acuse-Synthetic'
export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 30_000, totalMs: 120_000 }
export const DEFAULT_TARGET: Omit<Target, 'name' | 'url'> = {
  method: null,
  path: 'target',
  query: 'append',
  headers: [],
  remove: [],
  timeouts: DEFAULT_TIMEOUTS,
  acceptAnyCertificate: false,
  keepSecret: false,
  keepCredentials: false,
  markReplays: true,
}

/** Where to send: a target by its name, or a URL typed for this once (with "://", taken with DEFAULT_TARGET). */
export interface SendTo {
  readonly target: string
  /** On top of the target's own; not secrets. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** Instead of the delivery's own. What is absent stays as received. The delivery itself never changes. */
export interface Edit {
  readonly method?: string
  /** Path and query in the form of a request target; the target's policies apply to it. */
  readonly url?: string
  /** The whole list, in order; Host and framing are set when it is sent. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly bodyBase64?: string
}

/** `sending`: on its way; `answered`: whatever the status; `failed`: no answer; `uncertain`: Acuse ended while it was on its way. */
export const ATTEMPT_STATES = ['sending', 'answered', 'failed', 'uncertain'] as const
export type AttemptState = (typeof ATTEMPT_STATES)[number]

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
export type AttemptErrorCode = (typeof ATTEMPT_ERRORS)[number]
export interface AttemptError {
  readonly code: AttemptErrorCode
  /** A sentence in English: what failed, where, what to do. The window translates by `code` and `params`. */
  readonly message: string
  readonly params: Readonly<Record<string, string | number>>
}

/** What made an attempt of a job a failure: why there was no answer, or an answer whose status counts as one (`params.status`). */
export interface JobFailure extends Omit<AttemptError, 'code'> {
  readonly code: AttemptErrorCode | 'failure-status'
}

export type AttemptOrigin =
  | { readonly by: 'hand' }
  | { readonly by: 'job'; readonly job: number }
  | { readonly by: 'forward'; readonly forward: string }

/** One sending of a delivery to a target. */
export interface AttemptRow {
  readonly id: number
  readonly deliveryId: number
  readonly origin: AttemptOrigin
  /** The target's name, or the URL typed. */
  readonly target: string
  readonly method: string
  /** As requested. */
  readonly url: string
  /** Microseconds since the epoch. */
  readonly startedAt: number
  readonly tookUs: number | null
  readonly state: AttemptState
  readonly status: number | null
  /** Whether it counts as success: by the job's rule, else a 2xx. Null while sending and when uncertain. */
  readonly ok: boolean | null
  readonly error: AttemptError | null
  /** Bytes of the answer's body as they came. */
  readonly answerSize: number | null
  /** Equal for equal answers: made of status and body. */
  readonly answerDigest: string | null
  readonly edited: boolean
  /** The delivery may have reached this target before: an earlier attempt of the same item is uncertain. */
  readonly again: boolean
  /** 1 for the first try of an item, more for retries. */
  readonly tryNumber: number
}

/** Microseconds; null where the phase did not happen (a kept connection has no look-up) or was not reached. */
export interface Timings {
  readonly lookupUs: number | null
  readonly connectUs: number | null
  readonly tlsUs: number | null
  readonly sendUs: number | null
  readonly waitUs: number | null
  readonly receiveUs: number | null
}

export interface AttemptDetail extends AttemptRow {
  readonly request: { readonly headers: readonly Header[]; readonly size: number }
  readonly answer: {
    readonly status: number
    readonly statusText: string
    readonly headers: readonly Header[]
    /** Bytes of the body kept; less than `answerSize` when it passed ANSWER_KEPT. */
    readonly kept: number
    readonly truncated: boolean
  } | null
  readonly timings: Timings
  /** Address and port connected to; null when it never came to that. */
  readonly address: string | null
  readonly reusedConnection: boolean
}
export const ANSWER_KEPT = 10 * 1024 * 1024

export type ReplaySource =
  | { readonly type: 'ids'; readonly ids: readonly number[] }
  | { readonly type: 'filter'; readonly filter: string }
  /** All of one document's events. */
  | { readonly type: 'document'; readonly documentId: string }

/** What a job's queue was made of. Ids are told by their number: there may be a hundred thousand, and jobs are told often. */
export type JobSource =
  | Exclude<ReplaySource, { readonly type: 'ids' }>
  | { readonly type: 'ids'; readonly count: number; readonly first: number }

export function jobSource(source: ReplaySource): JobSource {
  return source.type === 'ids' ? { type: 'ids', count: source.ids.length, first: source.ids[0] ?? 0 } : source
}

/** Why a delivery of the source is not sent. `malformed` ones cannot be sent exactly; the others are sent when `include` names them. */
export const EXCLUSIONS = ['malformed', 'rejected', 'replay'] as const
export type Exclusion = (typeof EXCLUSIONS)[number]

export interface JobOptions {
  readonly to: SendTo
  /** `document`: each document's deliveries one after the other, documents side by side. */
  readonly order: 'arrival' | 'document'
  /** At most this many on their way at once. With `arrival` order and more than one, they start in order. */
  readonly concurrency: number
  /** Starts per second at most; null: as fast as the target answers. */
  readonly ratePerSecond: number | null
  /** Keeps the original gaps between arrivals, multiplied by this; null: none. */
  readonly gaps: number | null
  /** Stops after so many failures; null: never. */
  readonly stopAfterFailures: number | null
  readonly retry: { readonly times: number; readonly delayMs: number }
  /** Statuses that count as failure: `404`, `4xx`. No answer always does. */
  readonly failures: readonly string[]
  readonly include: readonly Exclude<Exclusion, 'malformed'>[]
}
export const DEFAULT_JOB_OPTIONS: Omit<JobOptions, 'to'> = {
  order: 'arrival',
  concurrency: 1,
  ratePerSecond: null,
  gaps: null,
  stopAfterFailures: null,
  retry: { times: 0, delayMs: 1_000 },
  failures: ['1xx', '3xx', '4xx', '5xx'],
  include: [],
}

export interface JobPreview {
  /** Deliveries that would be sent. */
  readonly count: number
  readonly excluded: readonly { readonly reason: Exclusion; readonly count: number }[]
  /** Of bodies. */
  readonly bytes: number
  /** Arrival of the oldest and newest, microseconds; null when there are none. */
  readonly oldest: number | null
  readonly newest: number | null
  /** At least so long, by rate and gaps; null when neither bounds it. */
  readonly seconds: number | null
  /** Only so many deliveries have been looked at yet: asked again, it goes on. */
  readonly searching?: { readonly scanned: number; readonly of: number }
}

/** `stopped`: by its own bound of failures; it can be resumed like a paused one. */
export const JOB_STATES = ['running', 'paused', 'stopped', 'done', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Many attempts, made one after another by the rules of `options`. Survives a restart: then it is paused. */
export interface Job {
  readonly id: number
  readonly source: JobSource
  readonly options: JobOptions
  readonly state: JobState
  /** Why it does not run: asked for, or Acuse was restarted. */
  readonly pausedBy: 'user' | 'restart' | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly endedAt: number | null
  readonly total: number
  /** Last attempt was a success, a failure; deliveries gone since count as failed. */
  readonly done: number
  readonly failed: number
  readonly inFlight: number
  /** Attempts that a restart left uncertain; each was, or will be, sent again. */
  readonly uncertain: number
  /** Finished per second over the last seconds. */
  readonly rate: number
  readonly etaMs: number | null
  /** Stays when what failed was sent again and did not fail. */
  readonly lastError: JobFailure | null
  /** What keeps a running one on our side; it goes on by itself. Null while nothing does. */
  readonly stall: JobStall | null
}

/** The disk can neither be read nor written. */
export interface JobStall {
  readonly code: 'storage'
  /** In English. The window translates by `code`. */
  readonly message: string
}

/** Attempts made as deliveries arrive. */
export interface Forward {
  /** Identity, as an endpoint's. */
  readonly name: string
  readonly enabled: boolean
  /** Which deliveries; empty: all. Rejected and malformed ones and replays are never forwarded. */
  readonly filter: string
  readonly targets: readonly string[]
  /** For each target; documents keep their order. */
  readonly concurrency: number
  /** While a target cannot be reached (no connection, 502, 503, 504): keep all for later, in order, or let them go. */
  readonly whenDown: 'queue' | 'drop'
  /** One of `targets` whose answer is given to the service; null: the endpoint's own. */
  readonly answerFrom: string | null
  /** How long the service waits for that answer before it gets the endpoint's own. */
  readonly answerTimeoutMs: number
  /** Ends with the process that made it. */
  readonly temporary: boolean
}

/** Why a target counts as down: there was no answer, or its status says so itself (`params.status`). */
export interface LaneFailure extends Omit<AttemptError, 'code'> {
  readonly code: AttemptErrorCode | 'away-status'
}

/** What keeps a queue on our side: as with a job, or its filter cannot be read any more. */
export interface LaneStall extends Omit<JobStall, 'code'> {
  readonly code: JobStall['code'] | 'filter'
}

/** The queue of one target of a forward. */
export interface ForwardLane {
  readonly target: string
  /** `refused`: the target is not allowed (our own receiver, a metadata address) or is gone. `stalled`: `stall` says why. */
  readonly state: 'off' | 'idle' | 'sending' | 'down' | 'refused' | 'stalled'
  readonly waiting: number
  readonly sent: number
  readonly failed: number
  readonly dropped: number
  readonly lastError: LaneFailure | null
  readonly stall: LaneStall | null
  /** Milliseconds since the epoch. */
  readonly downSince: number | null
  readonly nextTryAt: number | null
}
export interface ForwardState extends Forward {
  readonly lanes: readonly ForwardLane[]
}
