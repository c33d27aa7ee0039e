import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import { messageOf } from '#contract/errors.ts'
import type { ReplayCommandName } from '#contract/replay.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { Listeners } from '#core/listeners.ts'
import type { ReplayNotice, Store, StoreNotice, TargetAnswer } from '#core/ports.ts'
import type { Surroundings } from '#core/replay/parcels.ts'
import type { Tracing } from '#outbound/otlp.ts'
import type { StoreFiles } from '#storage/disk/files.ts'
import type { MergedAttempts, SessionLinks } from '#storage/replays/merge.ts'
import { hasLeftOver } from '#storage/schema/replays.ts'
import { LazyThread } from '#threads/lazy-thread.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReplayHandlers, ReplayPushes, ReplayStart } from './worker.ts'

export interface ThreadReplaysOptions {
  readonly paths: StoreFiles
  readonly worker: () => Worker
  readonly store: Pick<Store, 'deliveries' | 'onNotice' | 'addReader'>
  /** Whether forwards run; false in a process without a receiver. */
  readonly forwarding: boolean
  readonly shared?: ReplayStart['shared']
  /** Returns the present surroundings; call `changed` after a change. */
  surroundings(): Surroundings
  tracing(): Tracing
  warn(message: string): void
}

const RESPAWN_MS = 500
/** Longest wait for the thread's end: its own time-out for requests in flight, and a margin. */
const CLOSE_MS = 8_000
/** Margin for the thread beyond its own time-out. */
const ANSWER_MS = 250

/** Answers for a data folder without replays, which need no thread. */
const NOTHING_YET: { readonly [C in ReplayCommandName]?: Result<C> } = {
  'jobs.list': { jobs: [] },
  'forwards.list': { forwards: [] },
  'attempts.list': { attempts: [], more: false },
}

/** Replays and forwards on a thread of their own, which starts with the first call. */
export function createThreadReplays(options: ThreadReplaysOptions) {
  const notices = new Listeners<[ReplayNotice]>()
  const onNotice = notices.add
  /** Forwards that end with this process; no database has them, so a new thread gets them from here. */
  const temporary = new Map<string, Params<'forwards.save'>>()
  let answerTimeout: number | null = null
  let highestId = 0
  let judgedUpto = 0
  const { paths, store, worker, forwarding, shared, surroundings, tracing, warn } = options
  const thread = new LazyThread<ReplayHandlers, ReplayPushes>({
    start: worker,
    name: 'The thread that sends replays',
    closeMs: CLOSE_MS,
    open: begin,
    pushes: {
      notice: notices.tell,
      answers: (timeoutMs) => {
        answerTimeout = timeoutMs
      },
      warn,
    },
    ended,
  })
  const unsubscribe = [store.onNotice(follow), store.addReader(thread)]

  function resume(): void {
    if (hasLeftOver(paths.replays)) thread.open().catch(complain)
  }

  function changed(): void {
    thread.tell.configure(surroundings(), tracing())
  }

  async function call<C extends ReplayCommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    const nothing: Result<C> | undefined = NOTHING_YET[command]
    if (nothing && !thread.begun && !existsSync(paths.replays)) return nothing
    const context = { highestId: command === 'forwards.save' ? await readHighestId() : 0 }
    // The thread's result is untyped; it is that of this command.
    const result = (await thread.call.command({ name: command, params }, context)) as Result<C>
    remember(command, params)
    return result
  }

  /** Takes over the attempts of deliveries in a session file. */
  function merge(path: string, links: SessionLinks): Promise<MergedAttempts> {
    return thread.call.merge(path, links)
  }

  function answers(): boolean {
    return answerTimeout !== null
  }

  async function answerFor(id: number): Promise<TargetAnswer | null> {
    const timeoutMs = answerTimeout
    if (timeoutMs === null) return null
    // When the thread fails, the service gets the endpoint's own answer.
    return thread.call.answerFor(id, AbortSignal.timeout(timeoutMs + ANSWER_MS)).catch(() => null)
  }

  async function close(): Promise<void> {
    for (const stop of unsubscribe) stop()
    await thread.close()
    notices.clear()
  }

  async function begin(call: Remote<ReplayHandlers>): Promise<void> {
    // Wait for the store's first read, which follows the start of receiving: before that the thread cannot read deliveries.
    await readHighestId().catch(() => undefined)
    await call.open(paths, { surroundings: surroundings(), forwarding, shared, tracing: tracing() })
    // Pass on changes that happened while the thread opened, and deletions that happened without a thread.
    const { tell } = thread
    tell.configure(surroundings(), tracing())
    tell.settled(judgedUpto)
    tell.followDeletions()
  }

  function ended(error: Error): void {
    answerTimeout = null
    warn(`${error.message} Another one takes over; running jobs are paused.`)
    setTimeout(() => {
      if (!thread.closing) void comeBack().catch(complain)
    }, RESPAWN_MS).unref()
  }

  async function comeBack(): Promise<void> {
    await thread.open()
    for (const { previousName: _, ...forward } of [...temporary.values()])
      await call('forwards.save', forward)
  }

  function remember<C extends ReplayCommandName>(command: C, params: Params<C>): void {
    if (command === 'forwards.remove') temporary.delete((params as Params<'forwards.remove'>).name)
    if (command !== 'forwards.save') return
    const forward = params as Params<'forwards.save'>
    temporary.delete(forward.previousName ?? '')
    if (forward.temporary) temporary.set(forward.name, forward)
  }

  function follow(notice: StoreNotice): void {
    if (notice.type === 'arrived') highestId = Math.max(highestId, notice.lastId)
    else if (notice.type === 'judged') {
      judgedUpto = Math.max(judgedUpto, notice.lastId)
      thread.tell.settled(notice.lastId)
    } else if (notice.type === 'reset') {
      if (notice.reason !== 'salvaged' && notice.reason !== 'replaced') thread.tell.followDeletions()
    }
  }

  /** @returns the id of the newest delivery; later ones arrive after this call */
  async function readHighestId(): Promise<number> {
    const [newest] = await store.deliveries.scan(EVERYTHING, {
      after: null,
      limit: 1,
      newest: true,
    })
    return Math.max(highestId, newest?.id ?? 0)
  }

  function complain(error: unknown): void {
    warn(`Replays and forwards cannot go on: ${messageOf(error)}`)
  }

  return { onNotice, resume, changed, call, merge, answers, answerFor, close }
}
