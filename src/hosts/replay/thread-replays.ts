import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import { messageOf } from '#contract/errors.ts'
import type { ReplayCommandName } from '#contract/replay.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { Listeners } from '#core/listeners.ts'
import type { ReplayNotice, Replays, Store, StoreNotice, TargetAnswer } from '#core/ports.ts'
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

export class ThreadReplays implements Replays {
  readonly #options: ThreadReplaysOptions
  readonly #notices = new Listeners<[ReplayNotice]>()
  readonly onNotice = this.#notices.add
  /** Forwards that end with this process; no database has them, so a new thread gets them from here. */
  readonly #temporary = new Map<string, Params<'forwards.save'>>()
  readonly #thread: LazyThread<ReplayHandlers, ReplayPushes>
  readonly #unsubscribe: readonly (() => void)[]
  #answerTimeout: number | null = null
  #highestId = 0
  #judgedUpto = 0

  constructor(options: ThreadReplaysOptions) {
    this.#options = options
    const { store, worker } = options
    this.#thread = new LazyThread({
      start: worker,
      name: 'The thread that sends replays',
      closeMs: CLOSE_MS,
      open: (call) => this.#begin(call),
      pushes: {
        notice: this.#notices.tell,
        answers: (timeoutMs) => {
          this.#answerTimeout = timeoutMs
        },
        warn: (message) => options.warn(message),
      },
      ended: (error) => this.#ended(error),
    })
    this.#unsubscribe = [store.onNotice((notice) => this.#follow(notice)), store.addReader(this.#thread)]
  }

  resume(): void {
    if (hasLeftOver(this.#options.paths.replays)) this.#thread.open().catch((error) => this.#complain(error))
  }

  changed(): void {
    const { surroundings, tracing } = this.#options
    this.#thread.tell.configure(surroundings(), tracing())
  }

  async call<C extends ReplayCommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    const nothing: Result<C> | undefined = NOTHING_YET[command]
    if (nothing && !this.#thread.begun && !existsSync(this.#options.paths.replays)) return nothing
    const context = { highestId: command === 'forwards.save' ? await this.#readHighestId() : 0 }
    // The thread's result is untyped; it is that of this command.
    const result = (await this.#thread.call.command({ name: command, params }, context)) as Result<C>
    this.#remember(command, params)
    return result
  }

  /** Takes over the attempts of deliveries in a session file. */
  merge(path: string, links: SessionLinks): Promise<MergedAttempts> {
    return this.#thread.call.merge(path, links)
  }

  answers(): boolean {
    return this.#answerTimeout !== null
  }

  async answerFor(id: number): Promise<TargetAnswer | null> {
    const timeoutMs = this.#answerTimeout
    if (timeoutMs === null) return null
    // When the thread fails, the service gets the endpoint's own answer.
    return this.#thread.call.answerFor(id, AbortSignal.timeout(timeoutMs + ANSWER_MS)).catch(() => null)
  }

  async close(): Promise<void> {
    for (const stop of this.#unsubscribe) stop()
    await this.#thread.close()
    this.#notices.clear()
  }

  async #begin(call: Remote<ReplayHandlers>): Promise<void> {
    const { paths, forwarding, shared, surroundings, tracing } = this.#options
    // Wait for the store's first read, which follows the start of receiving: before that the thread cannot read deliveries.
    await this.#readHighestId().catch(() => undefined)
    await call.open(paths, { surroundings: surroundings(), forwarding, shared, tracing: tracing() })
    // Pass on changes that happened while the thread opened, and deletions that happened without a thread.
    const { tell } = this.#thread
    tell.configure(surroundings(), tracing())
    tell.settled(this.#judgedUpto)
    tell.followDeletions()
  }

  #ended(error: Error): void {
    this.#answerTimeout = null
    this.#options.warn(`${error.message} Another one takes over; running jobs are paused.`)
    setTimeout(() => {
      if (!this.#thread.closing) void this.#comeBack().catch((failure) => this.#complain(failure))
    }, RESPAWN_MS).unref()
  }

  async #comeBack(): Promise<void> {
    await this.#thread.open()
    for (const { previousName: _, ...forward } of [...this.#temporary.values()])
      await this.call('forwards.save', forward)
  }

  #remember<C extends ReplayCommandName>(command: C, params: Params<C>): void {
    if (command === 'forwards.remove') this.#temporary.delete((params as Params<'forwards.remove'>).name)
    if (command !== 'forwards.save') return
    const forward = params as Params<'forwards.save'>
    this.#temporary.delete(forward.previousName ?? '')
    if (forward.temporary) this.#temporary.set(forward.name, forward)
  }

  #follow(notice: StoreNotice): void {
    if (notice.type === 'arrived') this.#highestId = Math.max(this.#highestId, notice.lastId)
    else if (notice.type === 'judged') {
      this.#judgedUpto = Math.max(this.#judgedUpto, notice.lastId)
      this.#thread.tell.settled(notice.lastId)
    } else if (notice.type === 'reset') {
      if (notice.reason !== 'salvaged' && notice.reason !== 'replaced') this.#thread.tell.followDeletions()
    }
  }

  /** @returns the id of the newest delivery; later ones arrive after this call */
  async #readHighestId(): Promise<number> {
    const [newest] = await this.#options.store.deliveries.scan(EVERYTHING, {
      after: null,
      limit: 1,
      newest: true,
    })
    return Math.max(this.#highestId, newest?.id ?? 0)
  }

  #complain(error: unknown): void {
    this.#options.warn(`Replays and forwards cannot go on: ${messageOf(error)}`)
  }
}
