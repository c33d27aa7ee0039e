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

/** Bytes to send, read in pieces, so that a hundred large bodies are never in memory together. */
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

/** A complete request, sent exactly as it is. */
export interface OutgoingRequest {
  readonly method: string
  /** Absolute; path and query are sent without normalisation. */
  readonly url: string
  /** Flat list with Host and framing, as Latin-1; sent without additions, omissions or reordering. */
  readonly headers: readonly string[]
  readonly body: Body
  readonly timeouts: Timeouts
  readonly acceptAnyCertificate: boolean
  /** Called for each piece of the answer's body; false stops reading, and the answer ends there. */
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
  /** With an incomplete answer, both are set: the part that arrived, and the error. */
  readonly answer: Answer | null
  readonly error: AttemptError | null
  readonly timings: Timings
  readonly address: string | null
  readonly reusedConnection: boolean
  readonly tookUs: number
}

export interface Sender {
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Outcome>
  /** Where our own receiver listens, to which nothing is ever sent. */
  setOwnReceiver(address: { readonly host: string; readonly port: number } | null): void
  close(): void
}

export interface CapturedRequests {
  get(id: number): CapturedRequest | undefined
  analysedUpto(): number
  /** Whether a forward may send it: it matches the filter, is complete, not rejected and not a replay. */
  forwardable(id: number, filter: Filter): boolean
}

/** An entry of a lane's queue. `seq` is its position and rises with arrival. */
export interface Item {
  readonly lane: number
  readonly seq: number
  readonly deliveryId: number
  /** Microseconds since the epoch. */
  readonly receivedAt: number
  /** Lower-cased DocumentId; null when there is none, so that no other entry waits for this one. */
  readonly documentKey: string | null
  readonly tries: number
  /** An earlier attempt of this entry is uncertain. */
  readonly again: boolean
}

export type ItemEnd = 'done' | 'failed' | 'waiting' | 'dropped'

export interface NewAttempt
  extends Pick<AttemptRow, 'id' | 'deliveryId' | 'origin' | 'target' | 'method' | 'url' | 'startedAt'>,
    Pick<AttemptRow, 'edited' | 'again' | 'tryNumber'> {
  /** Null for a delivery sent by hand. */
  readonly item: { readonly lane: number; readonly seq: number } | null
  readonly headers: readonly string[]
  /** Lower-cased names of headers with secrets of the target. */
  readonly secretNames: readonly string[]
  readonly bodySize: number
  /** The whole edited body; null when the delivery's own body is sent. */
  readonly editedBody: Uint8Array | null
}

export interface EndedAttempt {
  readonly id: number
  readonly outcome: Outcome
  readonly ok: boolean
  readonly digest: string | null
  readonly item: { readonly lane: number; readonly seq: number; readonly end: ItemEnd } | null
}

/** A job; its lane has the same number. */
export type JobRecord = Pick<
  Job,
  'id' | 'source' | 'options' | 'state' | 'pausedBy' | 'createdAt' | 'endedAt' | 'lastError' | 'imported'
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
  /** Deliveries up to this id were filtered and queued. */
  readonly fedUpto: number
}

export interface Selected extends Omit<JobPreview, 'seconds' | 'searching'> {
  /** Sum of the gaps between consecutive arrivals, microseconds. */
  readonly spanUs: number
}

/** Finds the deliveries of a job in small steps, so that other work on the thread continues. */
export interface Selecting {
  /** Scans for a few milliseconds. @returns whether everything is scanned; later arrivals may reopen it */
  step(): boolean
  readonly selected: Selected
  ids(from: number, limit: number): readonly number[]
  progress(): { readonly scanned: number; readonly of: number }
}

export interface NewJob {
  /** @returns the job, paused, once its whole queue is on disk; undefined until then */
  step(): JobRecord | undefined
  abandon(): void
}

/**
 * Attempts, jobs and queues on disk (replays.db). Synchronous: it belongs to the sending thread. A committed write survives the end of the
 * process at any moment; a power failure may lose the last few.
 */
export interface Ledger {
  /** Resumes a recent search by the same filter, so that a job does not repeat its preview. @throws AcuseError `bad-filter` */
  select(source: ReplaySource, include: JobOptions['include']): Selecting
  /** All or nothing: a process that ends meanwhile leaves no part of the job. */
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
  /** For display only: returns the last values written when the disk fails, where `counts` throws. */
  countsShown(lane: number): LaneCounts
  waiting(lane: number, afterSeq: number, limit: number): readonly Item[]
  requeueFailed(lane: number): number
  clearWaiting(lane: number): number

  forwards(): readonly Forward[]
  /** Adds and removes lanes with their targets. New lanes, and lanes of a forward that was disabled, start after `fedUpto`. */
  saveForward(previousName: string | undefined, forward: Forward, fedUpto: number): void
  removeForward(name: string): void
  forwardLanes(): readonly ForwardLaneRecord[]
  /**
   * Filters deliveries after the lane's `fedUpto` for a few milliseconds. @param skip ids that are not queued
   * @returns number queued, and whether it reached `upto`
   */
  feed(
    lane: number,
    filter: Filter,
    upto: number,
    skip: readonly number[],
  ): { readonly count: number; readonly done: boolean }
  /** Up to which delivery a lane was fed, and up to which nothing waits or is in flight. */
  reached(lane: number): { readonly fed: number; readonly settled: number }
  /** Empties a lane's queue, which then begins after `upto`. */
  adopt(lane: number, upto: number): void
  /** Records an attempt of another host, of which it is unknown whether it arrived. */
  doubt(attempt: NewAttempt): void

  shortage(): string | null
  /** Reserves attempt ids that were never used, even across restarts. @returns the first one */
  reserveIds(count: number): number
  /** Records ended and new attempts in one transaction: an attempt is on disk before its first byte is sent. */
  commit(work: { readonly ended: readonly EndedAttempt[]; readonly begun: readonly NewAttempt[] }): void
  /** After a crash, marks attempts in flight as uncertain, requeues their entries and pauses running jobs. @returns number of attempts */
  recover(now: number): number

  attempts(query: Params<'attempts.list'>): readonly AttemptRow[]
  /** @param reveal includes the target's secrets */
  attempt(id: number, reveal?: boolean): AttemptDetail | undefined
  attemptBody(id: number, of: 'request' | 'answer', from: number, length: number): BodySlice | undefined
  followDeletions(): void
  close(): void
}
