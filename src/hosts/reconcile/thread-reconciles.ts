import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import { refused } from '#contract/errors.ts'
import type { ReportFile, ReportParams } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { Listeners } from '#core/listeners.ts'
import type { ReconcileCallName, ReconcileNotice, Store } from '#core/ports.ts'
import type { RebuiltRecord } from '#core/reconcile/ports.ts'
import type { RebuiltEvent, RecoveryPlan } from '#core/reconcile/rebuild.ts'
import { RETRIES, type RetryPolicy } from '#core/reconcile/sync-source.ts'
import type { ReconcileSurroundings } from '#core/sweep/sweeps.ts'
import type { StoreFiles } from '#storage/disk/files.ts'
import type { MergedSweep } from '#storage/sweeps/merge.ts'
import { LazyThread } from '#threads/lazy-thread.ts'
import type { ReconcileHandlers, ReconcilePushes } from './worker.ts'

export interface ThreadReconcilesOptions {
  readonly paths: StoreFiles
  readonly worker: () => Worker
  readonly store: Pick<Store, 'deliveries' | 'addReader'>
  readonly version: string
  /** Retry policy for pages; default RETRIES. */
  readonly retries?: RetryPolicy | undefined
  /** Returns the present surroundings; call `changed` after a change. */
  surroundings(): ReconcileSurroundings
  warn(message: string): void
}

/** Longest wait for the thread's end: cancelled requests end at once, but a comparison takes longer. */
const CLOSE_MS = 8_000
/** Longest wait for analysis before a comparison. */
const SETTLED_MS = 10_000

const NEWEST = { after: null, limit: 1, newest: true } as const

/** Answers for a data folder without sweeps, which need no thread. */
const NOTHING_YET: { readonly [C in ReconcileCallName]?: Result<C> } = { 'sweeps.list': { sweeps: [] } }

/** Sweeps and comparisons on a thread of their own, which starts with the first call. */
export function createThreadReconciles(options: ThreadReconcilesOptions) {
  const notices = new Listeners<[ReconcileNotice]>()
  const onNotice = notices.add
  const { paths, worker, store, version, surroundings, warn, retries = RETRIES } = options
  const thread = new LazyThread<ReconcileHandlers, ReconcilePushes>({
    start: worker,
    name: 'The thread that compares',
    closeMs: CLOSE_MS,
    open: async (call) => {
      // Wait for the store's first read, which follows the start of receiving: before that the thread cannot read deliveries.
      await store.deliveries.scan(EVERYTHING, NEWEST).catch(() => [])
      await call.open(paths, surroundings(), retries)
      changed()
    },
    pushes: { notice: notices.tell, warn },
    ended: (error) => {
      warn(`${error.message} Running sweeps are paused.`)
      // A new thread marks running sweeps as paused, so that lists show their true state.
      thread.open().catch((failure: unknown) => warn(String(failure)))
    },
  })
  const removeReader = store.addReader(thread)

  function changed(): void {
    thread.tell.configure(surroundings())
  }

  async function call<C extends ReconcileCallName>(command: C, params: Params<C>): Promise<Result<C>> {
    const nothing: Result<C> | undefined = NOTHING_YET[command]
    if (nothing && !thread.begun && !existsSync(paths.sweeps)) return nothing
    // Only the summary waits: clients query rows and documents after it, and often.
    const unjudged = command === 'reconciliation.summary' ? await store.deliveries.settled(SETTLED_MS) : 0
    // The thread's result is untyped; it is that of this command.
    const result = (await thread.call.command({ name: command, params })) as Result<C>
    return unjudged > 0 ? { ...result, unjudged } : result
  }

  async function report(connection: Connection, params: ReportParams): Promise<ReportFile> {
    await demandAnalysed()
    return thread.call.report(connection, version, params)
  }

  async function renameConnection(previous: string, name: string): Promise<void> {
    if (!thread.begun && !existsSync(paths.sweeps)) return
    await thread.call.renameConnection(previous, name)
  }

  /** Takes over the sweeps of a session file. @param here finds the connection of each @param links ids here of its rebuilt deliveries */
  async function merge(
    path: string,
    links: ReadonlyMap<number, number>,
    here: (connection: Connection, known: string | null) => Promise<Connection>,
  ): Promise<readonly MergedSweep[]> {
    const connections = new Map<string, Connection>()
    for (const { connection, known } of await thread.call.sessionConnections(path))
      connections.set(connection.name, await here(connection, known))
    return thread.call.merge(path, connections, links)
  }

  async function planRebuild(
    sweep: number,
    select: DocumentSelection,
    dryRun: boolean,
  ): Promise<RecoveryPlan> {
    await demandAnalysed()
    return thread.call.planRebuild(sweep, select, dryRun)
  }

  function nextRebuilt(token: number, limit: number): Promise<readonly RebuiltEvent[]> {
    return thread.call.nextRebuilt(token, limit)
  }

  async function storedRebuilt(token: number, records: readonly RebuiltRecord[]): Promise<void> {
    await thread.call.storedRebuilt(token, records)
    // The thread's next query for these deliveries reads the database, so wait until they are filed there.
    await store.deliveries.filed(records.map(({ deliveryId }) => deliveryId))
  }

  async function close(): Promise<void> {
    removeReader()
    await thread.close()
    notices.clear()
  }

  /** Refuses while deliveries wait for analysis: they would count as missed, and the user would report or send them again. */
  async function demandAnalysed(): Promise<void> {
    const unjudged = await store.deliveries.settled(SETTLED_MS)
    if (unjudged === 0) return
    throw refused('not-available', 'still-judging', { unjudged })
  }

  return {
    onNotice,
    changed,
    call,
    report,
    renameConnection,
    merge,
    planRebuild,
    nextRebuilt,
    storedRebuilt,
    close,
  }
}
