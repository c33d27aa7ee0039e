import type { Kind } from '#catalog/kinds.ts'
import type { AnnotateParams } from '#contract/annotations.ts'
import type { CommandName, HandlersOf, Params, QueryName, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import type {
  BodySlice,
  DeliveryDetail,
  DeliveryRow,
  Malformed,
  Page,
  PageParams,
  RetentionOutcome,
  RetentionParams,
  TrashOutcome,
} from '#contract/delivery.ts'
import type { AnsweredBy } from '#contract/faults.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { ReportFile, ReportParams } from '#contract/reconcile.ts'
import type { ReconcileCommandName } from '#contract/reconcile-commands.ts'
import type { AttemptError, ReplayCommandName } from '#contract/replay.ts'
import type { SandboxStatus } from '#contract/sandbox.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'
import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type {
  CertificateInfo,
  CoverageSpan,
  CoverageState,
  HostStatus,
  ReceiverState,
  Verification,
} from '#contract/status.ts'
import type { Timeline, TimelineParams } from '#contract/timeline.ts'
import type { Filter } from './filter/tree.ts'
import type { Rebuilding } from './reconcile/rebuild.ts'

export interface StoredBody {
  readonly upload: string
}

/** One HTTP request as the receiver took it from the socket: nothing decoded, nothing judged. */
export interface NewDelivery {
  /** Microseconds since the epoch, UTC: when the head had arrived. */
  readonly receivedAt: number
  /** Microseconds from the head to the end of the body. */
  readonly receivingUs: number
  readonly endpoint: string
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly remotePort: number
  /** Flat list of names and values, in order, with case and duplicates, as latin-1 text. */
  readonly headers: readonly string[]
  readonly trailers: readonly string[]
  /** For an unparseable request: the bytes that came, at most 64 KiB. */
  readonly body: Uint8Array | StoredBody
  readonly bodySize: number
  /** Null when no answer can be sent. */
  readonly answer: {
    readonly status: number
    readonly headers: readonly string[]
    readonly body: Uint8Array
  } | null
  /** The endpoint's secret header was wrong or absent: kept in a ring of its own. */
  readonly rejected: boolean
  /** The endpoint's secret came: no flood of other senders pushes the delivery out. */
  readonly authenticated?: boolean
  readonly malformed: Malformed | null
  /** Rebuilt from a sync item: marked so everywhere, and never counted as received. */
  readonly synthetic?: boolean
}

export interface Appended {
  readonly id: number
}

export interface AnsweredInstead {
  /** Null: its sender had left before the answer. */
  readonly by: AnsweredBy | null
  readonly answer: NewDelivery['answer']
}

export interface BodySink {
  /** Takes the piece with its memory. Await it before the next one. @returns memory of the same size to fill again */
  write(piece: Uint8Array): Promise<Uint8Array>
  finish(): Promise<StoredBody>
  abandon(): Promise<void>
}

/** One record of the log. What its kind means is for the log's users to say. */
export interface LogRecord {
  readonly kind: number
  /** Whether it takes an id. */
  readonly numbered: boolean
  /** Bytes that `write` puts at a place. */
  readonly size: number
  write(into: Uint8Array, at: number): void
}

/** A place in the log: positions count all records, ids the numbered ones. */
export interface LogPlace {
  readonly position: number
  readonly id: number
}

/** A record as its reader gets it; a record without a number has the id of the last numbered one before it. */
export interface LogEntry extends LogPlace {
  readonly kind: number
  readonly payload: Uint8Array
}

/** Records that cannot be read: positions from and to, both included. */
export interface LogGap {
  readonly from: number
  readonly to: number
  /** Their write had ended. Of a write that a power cut ended, the disk may keep any part, and no sender was answered for it. */
  readonly answered: boolean
}

/** Reads a log in order while another thread appends to it. */
export interface LogReading {
  /**
   * @param upTo the last durable position
   * @param limit stops at about so many bytes
   * @returns up to which position all has been read or is damaged @throws the system's error
   */
  next(
    upTo: number,
    limit: number,
  ): { readonly entries: readonly LogEntry[]; readonly gaps: readonly LogGap[]; readonly position: number }
  close(): void
}

/** A log as the threads that read it see it: records never cross the thread that receives. */
export interface ReadableLog {
  /** The position of the oldest record that is left; undefined where there is none. */
  oldest(): number | undefined
  /** @param after records up to this position are not wanted */
  read(after: number): LogReading
}

/** The one durable way in: everything else is filled from it, in its order. */
export interface Log {
  /** All up to here is durable. */
  readonly place: LogPlace
  /** Resolves with the ids of the numbered records, in order, once all of them are durable. @throws AcuseError `store-failed`: none of them is kept */
  append(records: readonly LogRecord[]): Promise<readonly number[]>
  /** Calls the listener before `append` resolves. */
  follow(listener: (place: LogPlace) => void): void
  /** What stands up to a position is durable elsewhere: its room is free. */
  trim(upTo: number): void
}

export interface Capture {
  /** Resolves once the log has it on the disk. Rejects only when the log cannot take it: then, and only then, the answer is 503. */
  append(delivery: NewDelivery): Promise<Appended>
  /** For bodies over 1 MiB. Rejects as `append` does. */
  openBody(): BodySink
  /**
   * Tells how long the answer took (null: the sender was gone), and what it was where it was not the one appended. Told of every delivery
   * with an answer: orders by answer and time wait for it. Never awaited.
   */
  answered(id: number, tookUs: number | null, instead?: AnsweredInstead): void
}

export type TimelineQuery = Omit<TimelineParams, 'filter'>
export type TimelineCounts = Omit<Timeline, 'coverage' | 'marks'>

/** Everything stored, for reading. Runs on threads of its own: a slow read never delays `Capture`. */
export interface Deliveries extends HandlersOf<QueryName> {
  page(filter: Filter, params: Omit<PageParams, 'filter'>): Promise<Page>
  scan(filter: Filter, params: Omit<Params<'deliveries.scan'>, 'filter'>): Promise<DeliveryRow[]>
  timeline(filter: Filter, query: TimelineQuery): Promise<TimelineCounts & Pick<Timeline, 'marks'>>
  driftReset(kinds: readonly Kind[]): Promise<void>
  rows(ids: readonly number[]): Promise<DeliveryRow[]>
  /** Secrets unmasked: masking is the engine's, which knows the endpoints. Undefined when there is no such delivery. */
  get(id: number): Promise<DeliveryDetail | undefined>
  body(id: number, view: 'raw' | 'decoded', from: number, length: number): Promise<BodySlice | undefined>
  pin(ids: readonly number[], pinned: boolean): Promise<number>
  /** @returns how many have something else now @throws AcuseError `conflict` for too many tags */
  annotate(change: AnnotateParams): Promise<number>
  retention(params: RetentionParams, apply: boolean): Promise<RetentionOutcome>
  /** Resolves when the deliveries are filed, so that each reader finds them, or after ten seconds. */
  filed(ids: readonly number[]): Promise<void>
  /** Resolves when everything stored at the call is analysed, or after `timeoutMs`; gives how many still wait. */
  settled(timeoutMs: number): Promise<number>
}

export interface TrashBin {
  /** @param what pinned deliveries go only where their ids are named; `upTo`: none that is newer */
  add(
    what:
      | { readonly ids: readonly number[] }
      | { readonly filter: Filter; readonly text: string; readonly upTo: number | null },
  ): Promise<TrashOutcome>
  /** @returns how many came back @throws AcuseError `not-found` when the batch is not there any more */
  restore(batch: number): Promise<number>
  /** @param batch null: everything */
  empty(batch: number | null): Promise<{ readonly deliveries: number; readonly bytes: number }>
}

/** When the receiver was really listening (product: coverage). */
export interface Coverage {
  /** Ends the present stretch now and begins another. A crash leaves a stretch that ends at the last heartbeat. */
  enter(state: CoverageState): Promise<void>
  /** Off before the first start, unless only what is recorded is asked for. @param from @param to milliseconds */
  list(from: number, to: number, recorded?: boolean): Promise<CoverageSpan[]>
}

export interface StoreStatus extends Readonly<HostStatus['store']>, Pick<HostStatus, 'counts'> {
  readonly disk: Omit<HostStatus['disk'], 'budgetBytes' | 'overBudget'>
}

export type StoreNotice =
  | { readonly type: 'arrived' | 'judged'; readonly firstId: number; readonly lastId: number }
  | { readonly type: 'marked'; readonly ids: readonly number[] }
  /** Deliveries of those kinds showed something first, or what was observed of them was forgotten. */
  | { readonly type: 'drifted'; readonly kinds: readonly Kind[] }
  | { readonly type: 'status' }
  | { readonly type: 'reset'; readonly reason: Pushes['store.reset']['reason'] }

/** Another reader of the store's files: Windows renames no file that is open. */
export interface FileReader {
  /** A file is about to be set aside. Resolves when the reader has closed it; the store waits only so long. */
  release(): Promise<void>
  reopen(): void
}

export interface Store {
  readonly capture: Capture
  readonly deliveries: Deliveries
  readonly coverage: Coverage
  readonly trash: TrashBin
  status(): StoreStatus
  /** Reads a database set aside and appends what can be saved of it. @returns deliveries brought back */
  salvage(at: number): Promise<number>
  /** Reads everything stored again. @throws AcuseError `store-failed` where that cannot be done now */
  verify(): Promise<Verification>
  onNotice(listener: (notice: StoreNotice) => void): () => void
  addReader(reader: FileReader): () => void
  /** Finishes what is in flight and closes; safe to call twice. */
  close(): Promise<void>
}

export interface Certificate {
  /** PEM, the server's own certificate first. */
  readonly cert: string
  readonly key: string
  readonly info: CertificateInfo
}

export interface Certificates {
  /** One that has expired is given all the same: `info` says so. @throws AcuseError `bad-params` */
  load(tls: ReceiverTls): Promise<Certificate>
}

export interface Receiver {
  state(): ReceiverState
  /** @param tls where the certificate comes from; null or absent for plain HTTP */
  start(host: string, port: number, tls?: ReceiverTls | null): Promise<ReceiverState>
  /** Stops accepting, finishes what is in flight (bounded), then resolves. */
  stop(): Promise<void>
  onState(listener: (state: ReceiverState) => void): () => void
}

export interface SandboxControl {
  status(): Promise<SandboxStatus>
  /** @param port asked for; the next free one is taken when it is in use */
  start(port?: number): Promise<SandboxStatus>
  /** @throws AcuseError `conflict` when it runs in another process */
  stop(): Promise<SandboxStatus>
  /** Calls the running one; credentials come unmasked. @throws AcuseError `not-available`, or the sandbox's own refusal */
  call<C extends SandboxCallName>(command: C, params: Params<C>): Promise<Result<C>>
}

export interface Destinations {
  /** @returns why nothing is ever sent to a URL, as an attempt would say it; null when something may be */
  refused(url: string): Promise<AttemptError | null>
}

export interface TargetAnswer {
  readonly target: string
  readonly status: number
  /** Flat list without hop-by-hop headers and framing. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export interface ReplayNotice {
  readonly jobs: readonly number[]
  readonly forwards: boolean
  readonly deliveries: readonly number[]
  readonly more: boolean
}

/** Sends deliveries again, on a thread of its own: a hundred thousand replays never delay an answer. */
export interface Replays {
  /** Secret headers of targets come masked unless the command says `reveal`; everything else comes unmasked. */
  call<C extends ReplayCommandName>(command: C, params: Params<C>): Promise<Result<C>>
  /** Whether a forward gives its target's answer for deliveries at all; cheap, asked at every delivery. */
  answers(): boolean
  /** Null when no forward answers for this delivery, or no answer came in time. Call it once the delivery is stored. */
  answerFor(id: number): Promise<TargetAnswer | null>
  onNotice(listener: (notice: ReplayNotice) => void): () => void
  /** Stops sending, lets what is in flight end (bounded), keeps every queue. */
  close(): Promise<void>
}

export type ReconcileCallName = Exclude<ReconcileCommandName, 'recovery.rebuild' | 'reconciliation.report'>

export interface ReconcileNotice {
  readonly sweeps: readonly number[]
}

export interface Reconciles extends Rebuilding {
  call<C extends ReconcileCallName>(command: C, params: Params<C>): Promise<Result<C>>
  report(connection: Connection, params: ReportParams): Promise<ReportFile>
  renameConnection(previous: string, name: string): Promise<void>
  onNotice(listener: (notice: ReconcileNotice) => void): () => void
  close(): Promise<void>
}

/** Values that must never be logged, exported or pushed. */
export interface Secrets {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string | undefined): Promise<void>
}

export interface SettingsStore {
  get(): Settings
  change(change: (present: Settings) => Settings): Promise<Settings>
}

export type Call = <C extends CommandName>(command: C, params: Params<C>) => Promise<Result<C>>

export interface Clock {
  now(): number
}
