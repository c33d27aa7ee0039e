import type { Params } from '#contract/commands.ts'
import type { BodySlice } from '#contract/delivery.ts'
import type {
  AttemptDetail,
  AttemptError,
  AttemptRow,
  Forward,
  Job,
  JobOptions,
  JobPreview,
  ReplaySource,
  Timings,
} from '#contract/replay.ts'
import type { Timeouts } from '#contract/target.ts'
import type { Filter } from '../filter/tree.ts'

/** Bytes to send, read piece by piece, so that a hundred large bodies never lie in memory together. */
export interface Body {
  readonly size: number
  pieces(): Iterable<Uint8Array>
}

export interface CapturedRequest {
  readonly id: number
  /** Microseconds since the epoch. */
  readonly receivedAt: number
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: Body
}

/** A request with everything decided: what goes out is exactly this. */
export interface OutgoingRequest {
  readonly method: string
  /** Absolute; its path and query go out as they stand here, not normalised. */
  readonly url: string
  /** Flat list with Host and framing, latin-1 text; nothing is added, left out or reordered. */
  readonly headers: readonly string[]
  readonly body: Body
  readonly timeouts: Timeouts
  readonly acceptAnyCertificate: boolean
  /** False: the body is not read further, and the answer stands as it is by then. */
  watch?(piece: Uint8Array): boolean
}

export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly string[]
  /** At most ANSWER_KEPT bytes. */
  readonly body: Uint8Array
  readonly size: number
}

export interface Outcome {
  /** An answer that broke off has both: the part that arrived, and why it is not whole. */
  readonly answer: Answer | null
  readonly error: AttemptError | null
  readonly timings: Timings
  readonly address: string | null
  readonly reusedConnection: boolean
  readonly tookUs: number
}

export interface Sender {
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Outcome>
  /** Addresses at which our own receiver listens: nothing is sent there. */
  setOwnReceiver(address: { readonly host: string; readonly port: number } | null): void
  close(): void
}

export interface CapturedRequests {
  get(id: number): CapturedRequest | undefined
  analysedUpto(): number
  /** Whether a forward may send it: the filter selects it, it is whole, not rejected and no replay. */
  forwardable(id: number, filter: Filter): boolean
}

/** An entry of a lane's queue. `seq` is its place, rising with arrival. */
export interface Item {
  readonly lane: number
  readonly seq: number
  readonly deliveryId: number
  /** Microseconds since the epoch. */
  readonly receivedAt: number
  /** Lower-cased DocumentId; null when there is none, and then nothing waits for it. */
  readonly documentKey: string | null
  readonly tries: number
  /** A try of it is uncertain. */
  readonly again: boolean
}

export type ItemEnd = 'done' | 'failed' | 'waiting' | 'dropped'

export interface NewAttempt
  extends Pick<AttemptRow, 'id' | 'deliveryId' | 'origin' | 'target' | 'method' | 'url' | 'startedAt'>,
    Pick<AttemptRow, 'edited' | 'again' | 'tryNumber'> {
  /** Null when sent by hand. */
  readonly item: { readonly lane: number; readonly seq: number } | null
  readonly headers: readonly string[]
  /** Lower-cased names of headers whose values are the target's secrets. */
  readonly secretNames: readonly string[]
  readonly bodySize: number
  /** The whole body of an edited copy; null when it is the delivery's own. */
  readonly editedBody: Uint8Array | null
}

export interface EndedAttempt {
  readonly id: number
  readonly outcome: Outcome
  readonly ok: boolean
  readonly digest: string | null
  readonly item: { readonly lane: number; readonly seq: number; readonly end: ItemEnd } | null
}

/** Its lane has the same number. */
export type JobRecord = Pick<
  Job,
  'id' | 'source' | 'options' | 'state' | 'pausedBy' | 'createdAt' | 'endedAt' | 'lastError'
>

export interface LaneCounts {
  readonly total: number
  readonly waiting: number
  readonly sending: number
  readonly done: number
  readonly failed: number
  readonly dropped: number
  readonly uncertain: number
}

export interface ForwardLaneRecord {
  readonly lane: number
  readonly forward: string
  readonly target: string
  /** Deliveries up to this id were looked at, and queued where they match. */
  readonly fedUpto: number
}

export interface Selected extends Omit<JobPreview, 'seconds' | 'searching'> {
  /** Sum of the gaps between the arrivals that follow each other, microseconds. */
  readonly spanUs: number
}

/** What a job would send, found step by step, so that nothing else on the thread waits for it. */
export interface Selecting {
  /** Looks for a few milliseconds at what has not been looked at. @returns whether nothing is left; later there may be again */
  step(): boolean
  readonly selected: Selected
  ids(from: number, limit: number): readonly number[]
  progress(): { readonly scanned: number; readonly of: number }
}

export interface NewJob {
  /** @returns the job, paused, once the whole queue is on disk; until then there is none */
  step(): JobRecord | undefined
  abandon(): void
}

/**
 * Attempts, jobs and queues on disk (replays.db). Synchronous: it lives on the thread that sends. A committed write survives the end of
 * the process at any moment; a power cut may cost the last few.
 */
export interface Ledger {
  /** Goes on with what was found of the same filter a while ago: a preview is not made twice. @throws AcuseError `bad-filter` */
  select(source: ReplaySource, include: JobOptions['include']): Selecting
  /** All or nothing: a process that ends meanwhile leaves nothing of it. */
  newJob(selecting: Selecting, source: ReplaySource, options: JobOptions, createdAt: number): NewJob
  /** Newest first. */
  jobs(): readonly JobRecord[]
  job(id: number): JobRecord | undefined
  changeJob(
    id: number,
    change: Partial<Pick<JobRecord, 'state' | 'pausedBy' | 'endedAt' | 'lastError'>>,
  ): JobRecord
  removeJob(id: number): void
  counts(lane: number): LaneCounts
  /** For showing, never for deciding: while the disk takes nothing they are what was written last, and `counts` throws. */
  countsShown(lane: number): LaneCounts
  waiting(lane: number, afterSeq: number, limit: number): readonly Item[]
  requeueFailed(lane: number): number
  clearWaiting(lane: number): number

  forwards(): readonly Forward[]
  /** Its lanes come and go with its targets; a new one, and one of a forward that was off, begins behind `fedUpto`. */
  saveForward(previousName: string | undefined, forward: Forward, fedUpto: number): void
  removeForward(name: string): void
  forwardLanes(): readonly ForwardLaneRecord[]
  /** Looks for a few milliseconds at deliveries after the lane's `fedUpto`. @returns how many, and whether nothing is left */
  feed(lane: number, filter: Filter, upto: number): { readonly count: number; readonly done: boolean }

  shortage(): string | null
  /** Ids for attempts, never used before, also over restarts. @returns the first of them */
  reserveIds(count: number): number
  /** Ends attempts and begins others, in one commit: an attempt is on disk before its first byte goes out. */
  commit(work: { readonly ended: readonly EndedAttempt[]; readonly begun: readonly NewAttempt[] }): void
  /** What a former process left on its way: attempts become uncertain, entries wait again, running jobs are paused. @returns attempts */
  recover(now: number): number

  attempts(query: Params<'attempts.list'>): readonly AttemptRow[]
  /** @param reveal gives the target's secrets too */
  attempt(id: number, reveal?: boolean): AttemptDetail | undefined
  attemptBody(id: number, of: 'request' | 'answer', from: number, length: number): BodySlice | undefined
  followDeletions(): void
  close(): void
}
