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
import type { Source } from '#contract/source.ts'
import type {
  CertificateInfo,
  CoverageSpan,
  CoverageState,
  HostStatus,
  ReceiverState,
  Verification,
} from '#contract/status.ts'
import type { Timeline, TimelineParams } from '#contract/timeline.ts'
import type { TransferCommandName } from '#contract/transfer.ts'
import type { UpdateState } from '#contract/updates.ts'
import type { Filter } from './filter/tree.ts'
import type { Mirror } from './mirror.ts'
import type { Rebuilding } from './reconcile/rebuild.ts'

export interface StoredBody {
  readonly upload: string
}

/** An HTTP request as the receiver read it from the socket, neither decoded nor judged. */
export interface NewDelivery {
  /** When the head arrived: microseconds since the epoch, UTC. */
  readonly receivedAt: number
  /** Microseconds from the head to the end of the body. */
  readonly receivingUs: number
  readonly endpoint: string
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly remotePort: number
  /** Flat list of names and values in order, with case and duplicates, as Latin-1 text. */
  readonly headers: readonly string[]
  readonly trailers: readonly string[]
  /** For an unparseable request: the bytes received, at most 64 KiB. */
  readonly body: Uint8Array | StoredBody
  readonly bodySize: number
  /** Null when no answer can be sent. */
  readonly answer: {
    readonly status: number
    readonly headers: readonly string[]
    readonly body: Uint8Array
  } | null
  /** The endpoint's secret header was wrong or absent; the delivery goes to a ring of its own. */
  readonly rejected: boolean
  /** The endpoint's secret was right, so a flood from other senders cannot evict the delivery. */
  readonly authenticated?: boolean
  readonly malformed: Malformed | null
  /** Rebuilt from a sync item: always marked, and never counted as received. */
  readonly synthetic?: boolean
  /** When it was imported, microseconds since the epoch: then another program received it at `receivedAt`. */
  readonly importedAt?: number | null
}

export interface Appended {
  readonly id: number
}

export interface AnsweredInstead {
  /** Null: the sender disconnected before the answer. */
  readonly by: AnsweredBy | null
  readonly answer: NewDelivery['answer']
}

export interface BodySink {
  /** Takes ownership of the piece's memory. Await each call before the next. @returns memory of the same size to reuse */
  write(piece: Uint8Array): Promise<Uint8Array>
  finish(): Promise<StoredBody>
  abandon(): Promise<void>
}

/** One record of the log. The log does not interpret `kind`. */
export interface LogRecord {
  readonly kind: number
  /** Whether the record gets an id. */
  readonly numbered: boolean
  /** Number of bytes that `write` writes. */
  readonly size: number
  write(into: Uint8Array, at: number): void
}

/** A place in the log: positions count all records, ids only the numbered ones. */
export interface LogPlace {
  readonly position: number
  readonly id: number
}

/** A record as read back; an unnumbered record has the id of the last numbered one before it. */
export interface LogEntry extends LogPlace {
  readonly kind: number
  readonly payload: Uint8Array
}

/** Unreadable records: first and last position. */
export interface LogGap {
  readonly from: number
  readonly to: number
  /** Whether their write had completed. A write cut by a power failure may be on disk in part, and no sender got an answer for it. */
  readonly answered: boolean
}

/** Reads a log in order while another thread appends to it. */
export interface LogReading {
  /**
   * @param upTo the last durable position
   * @param limit approximate maximum of bytes
   * @returns entries, valid until the next call, and gaps up to `position` @throws the system's error
   */
  next(
    upTo: number,
    limit: number,
  ): { readonly entries: readonly LogEntry[]; readonly gaps: readonly LogGap[]; readonly position: number }
  close(): void
}

/** A log for threads that only read: records never pass through the receiving thread. */
export interface ReadableLog {
  /** Position of the oldest record left; undefined for an empty log. */
  oldest(): number | undefined
  /** @param after the last position to skip */
  read(after: number): LogReading
}

/** The only durable way in: the databases are filled from the log, in its order. */
export interface Log {
  /** The last durable place. */
  readonly place: LogPlace
  /** Resolves with the ids of the numbered records once all are durable. @throws AcuseError `store-failed`: none of them is stored */
  append(records: readonly LogRecord[]): Promise<readonly number[]>
  /** Calls the listener before `append` resolves. */
  follow(listener: (place: LogPlace) => void): void
  /** Frees the space of records up to this position, which are durable elsewhere. */
  trim(upTo: number): void
}

export interface Capture {
  /** Resolves once the delivery is durable in the log. Rejects only when the log cannot store it, the only case that is answered 503. */
  append(delivery: NewDelivery): Promise<Appended>
  /** For bodies over 1 MiB. Rejects as `append` does. */
  openBody(): BodySink
  /**
   * Reports how long the answer took (null: the sender had disconnected), and the answer itself if it differs from the appended one. Must
   * be called for every delivery with an answer, since sorting by answer and time waits for it. Never awaited.
   */
  answered(id: number, tookUs: number | null, instead?: AnsweredInstead): void
}

export type TimelineQuery = Omit<TimelineParams, 'filter'>
export type TimelineCounts = Omit<Timeline, 'coverage' | 'marks'>

/** Reads everything stored, on its own threads, so a slow read never delays `Capture`. */
export interface Deliveries extends HandlersOf<QueryName> {
  page(filter: Filter, params: Omit<PageParams, 'filter'>): Promise<Page>
  scan(filter: Filter, params: Omit<Params<'deliveries.scan'>, 'filter'>): Promise<DeliveryRow[]>
  timeline(filter: Filter, query: TimelineQuery): Promise<TimelineCounts & Pick<Timeline, 'marks'>>
  driftReset(kinds: readonly Kind[]): Promise<void>
  rows(ids: readonly number[]): Promise<DeliveryRow[]>
  /** Secrets are unmasked: the engine masks, since it knows the endpoints. Undefined when there is no such delivery. */
  get(id: number): Promise<DeliveryDetail | undefined>
  body(id: number, view: 'raw' | 'decoded', from: number, length: number): Promise<BodySlice | undefined>
  pin(ids: readonly number[], pinned: boolean): Promise<number>
  /** @returns how many deliveries changed @throws AcuseError `conflict` for too many tags */
  annotate(change: AnnotateParams): Promise<number>
  retention(params: RetentionParams, apply: boolean): Promise<RetentionOutcome>
  /** Resolves once the deliveries are filed, so that every reader finds them, or after ten seconds. */
  filed(ids: readonly number[]): Promise<void>
  /** Resolves once everything stored at the call is analysed, or after `timeoutMs`, with the number of deliveries not yet analysed. */
  settled(timeoutMs: number): Promise<number>
}

export interface TrashBin {
  /** @param what pinned deliveries are trashed only by id; `upTo`: none with a higher id */
  add(
    what:
      | { readonly ids: readonly number[] }
      | { readonly filter: Filter; readonly text: string; readonly upTo: number | null },
  ): Promise<TrashOutcome>
  /** @returns how many deliveries were restored @throws AcuseError `not-found` when the batch no longer exists */
  restore(batch: number): Promise<number>
  /** @param batch null: everything */
  empty(batch: number | null): Promise<{ readonly deliveries: number; readonly bytes: number }>
}

/** Newer versions of the app, in a host that can replace itself. */
export interface Updates {
  state(): UpdateState
  /** Downloads a newer version; its state tells a failure. */
  check(): Promise<UpdateState>
  /** Asks the app to end and to install. */
  install(): UpdateState
}

/** When the receiver was listening (product: coverage). */
export interface Coverage {
  /** Ends the present span and starts another. After a crash a span ends at its last heartbeat. */
  enter(state: CoverageState): Promise<void>
  /** Extends the record of the present span up to now, as the store does every few seconds by itself. */
  beat(): Promise<void>
  /** Before the first start the state is `off`, unless `recorded` asks for recorded spans only. @param from @param to milliseconds */
  list(from: number, to: number, recorded?: boolean): Promise<CoverageSpan[]>
  /** Replaces the whole record with that of a shared log. */
  mirror(spans: readonly CoverageSpan[]): Promise<void>
}

export interface StoreStatus extends Readonly<HostStatus['store']>, Pick<HostStatus, 'counts'> {
  readonly disk: Omit<HostStatus['disk'], 'budgetBytes' | 'overBudget'>
}

export type StoreNotice =
  | { readonly type: 'arrived' | 'judged'; readonly firstId: number; readonly lastId: number }
  | { readonly type: 'marked'; readonly ids: readonly number[] }
  /** Deliveries of these kinds showed something new, or their profiles were reset. */
  | { readonly type: 'drifted'; readonly kinds: readonly Kind[] }
  | { readonly type: 'status' | 'missed' }
  | { readonly type: 'reset'; readonly reason: Pushes['store.reset']['reason'] }

/** Another reader of the store's files, which must close them first: Windows cannot rename an open file. */
export interface FileReader {
  /** Called before a file is set aside; resolves when the reader has closed it. The store waits for a limited time. */
  release(): Promise<void>
  reopen(): void
}

/** Where the deliveries of a data folder come from. */
export interface SourceControl {
  get(): Promise<Source>
  /** @throws AcuseError `store-failed` when the log cannot be reached */
  test(params: Params<'source.test'>): Promise<Result<'source.test'>>
  /** @throws AcuseError `conflict` in a folder with deliveries of its own, or of another log */
  follow(params: Params<'source.follow'>): Promise<Source>
}

export interface Store extends Mirror {
  /** `close` refuses further deliveries for good. */
  readonly capture: Capture & { close(): Promise<void> }
  readonly deliveries: Deliveries
  readonly coverage: Coverage
  readonly trash: TrashBin
  status(): StoreStatus
  /** Copies readable deliveries from a database set aside. @returns the number of deliveries restored */
  salvage(at: number): Promise<number>
  /** Copies everything received so far into an empty folder, through SQLite. @throws AcuseError `store-failed`; the system's error */
  copyInto(folder: string): Promise<void>
  /** Reads and checks everything stored. @throws AcuseError `store-failed` when that is not possible now */
  verify(): Promise<Verification>
  onNotice(listener: (notice: StoreNotice) => void): () => void
  addReader(reader: FileReader): () => void
  /** Finishes requests in flight and closes; idempotent. */
  close(): Promise<void>
}

export interface Certificate {
  /** PEM, the server's own certificate first. */
  readonly cert: string
  readonly key: string
  readonly info: CertificateInfo
}

export interface Certificates {
  /** Returns expired certificates too; `info` shows the validity. @throws AcuseError `bad-params` */
  load(tls: ReceiverTls): Promise<Certificate>
}

export interface Receiver {
  state(): ReceiverState
  /** @param tls source of the certificate; null or absent: plain HTTP */
  start(host: string, port: number, tls?: ReceiverTls | null): Promise<ReceiverState>
  /** Stops accepting, finishes requests in flight (within a time limit), then resolves. */
  stop(): Promise<void>
  onState(listener: (state: ReceiverState) => void): () => void
}

export interface SandboxControl {
  status(): Promise<SandboxStatus>
  /** @param port preferred port; the next free one if it is in use */
  start(port?: number): Promise<SandboxStatus>
  /** @throws AcuseError `conflict` when it runs in another process */
  stop(): Promise<SandboxStatus>
  /** Calls the running sandbox; credentials in the result are unmasked. @throws AcuseError `not-available`, or the sandbox's own error */
  call<C extends SandboxCallName>(command: C, params: Params<C>): Promise<Result<C>>
}

export interface Destinations {
  /** @returns the reason why Acuse never sends to this URL, as an attempt would report it; null when it may */
  refused(url: string): Promise<AttemptError | null>
}

export interface TargetAnswer {
  readonly target: string
  readonly status: number
  /** Flat list without hop-by-hop and framing headers. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export interface ReplayNotice {
  readonly jobs: readonly number[]
  readonly forwards: boolean
  readonly deliveries: readonly number[]
  readonly more: boolean
}

/** Sends deliveries again, on its own thread, so that 100,000 replays never delay an answer. */
export interface Replays {
  /** Masks secret headers of targets unless the command has `reveal`; everything else is unmasked. */
  call<C extends ReplayCommandName>(command: C, params: Params<C>): Promise<Result<C>>
  /** Whether any forward provides answers; cheap, called for every delivery. */
  answers(): boolean
  /** Call it once the delivery is stored. Null when no forward answers for it, or no answer came in time. */
  answerFor(id: number): Promise<TargetAnswer | null>
  onNotice(listener: (notice: ReplayNotice) => void): () => void
  /** Stops sending, waits for attempts in flight (within a time limit), keeps every queue. */
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

/** Exports, imports and backups, on their own thread. */
export interface Transfers {
  call<C extends TransferCommandName>(command: C, params: Params<C>): Promise<Result<C>>
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
