import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import type { ReplayCommandName } from '#contract/replay.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { ReplayNotice, Replays, Store, StoreNotice, TargetAnswer } from '#core/ports.ts'
import type { Surroundings } from '#core/replay/parcels.ts'
import { hasLeftOver } from '#storage/replays/left-over.ts'
import type { Link } from '#storage/wire/link.ts'
import { LazyThread } from '../lazy-thread.ts'
import type { ReplayCalls, ReplayMessage, ReplayOrder, ReplayPaths } from './protocol.ts'

export interface ThreadReplaysOptions {
  readonly paths: ReplayPaths
  readonly worker: () => Worker
  readonly store: Pick<Store, 'deliveries' | 'onNotice' | 'addReader'>
  /** Whether forwards are fed and sent; not in a process that receives nothing. */
  readonly forwarding: boolean
  /** As they stand now; say `changed` when they are others. */
  surroundings(): Surroundings
  warn(message: string): void
}

const RESPAWN_MS = 500
/** The thread's own patience with what is on its way, and some. */
const CLOSE_MS = 8_000
/** Given to the thread beyond the time-out that it keeps itself. */
const ANSWER_MS = 250

/** What a data folder that never replayed says, without a thread. */
const NOTHING_YET: { readonly [C in ReplayCommandName]?: Result<C> } = {
  'jobs.list': { jobs: [] },
  'forwards.list': { forwards: [] },
  'attempts.list': { attempts: [], more: false },
}

/** The thread that sends, begun when it is first needed, and the next one when it ends. */
export class ThreadReplays implements Replays {
  readonly #options: ThreadReplaysOptions
  readonly #listeners = new Set<(notice: ReplayNotice) => void>()
  /** Forwards that end with this process; a new thread has to be told of them. */
  readonly #temporary = new Map<string, Params<'forwards.save'>>()
  readonly #thread: LazyThread<ReplayCalls>
  readonly #unsubscribe: readonly (() => void)[]
  #answerTimeout: number | null = null
  #highestId = 0
  #judgedUpto = 0

  constructor(options: ThreadReplaysOptions) {
    this.#options = options
    const { store, worker } = options
    this.#thread = new LazyThread<ReplayCalls>({
      worker,
      what: 'The thread that sends replays',
      open: (link) => this.#begin(link),
      take: (message) => this.#take(message as ReplayMessage),
      gone: (error) => this.#gone(error),
      release: (link) => link.call('release'),
      reopen: (link) => link.post({ order: 'reopen' } satisfies ReplayOrder),
    })
    this.#unsubscribe = [store.onNotice((notice) => this.#follow(notice)), store.addReader(this.#thread)]
  }

  /** Goes on with what was left, when there is something. */
  resume(): void {
    if (hasLeftOver(this.#options.paths.replays)) this.#thread.open().catch((error) => this.#complain(error))
  }

  /** The surroundings are others now. */
  changed(): void {
    this.#post({ order: 'configure', surroundings: this.#options.surroundings() })
  }

  async call<C extends ReplayCommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    const nothing: Result<C> | undefined = NOTHING_YET[command]
    if (nothing && !this.#thread.begun && !existsSync(this.#options.paths.replays)) return nothing
    const link = await this.#thread.open()
    const context = { highestId: command === 'forwards.save' ? await this.#readHighestId() : 0 }
    // The thread answers with the result of that very command.
    const result = (await link.call('command', { name: command, params }, context)) as Result<C>
    this.#remember(command, params)
    return result
  }

  answers(): boolean {
    return this.#answerTimeout !== null
  }

  async answerFor(id: number): Promise<TargetAnswer | null> {
    const timeoutMs = this.#answerTimeout
    const link = this.#thread.present
    if (timeoutMs === null || !link) return null
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), timeoutMs + ANSWER_MS)
    try {
      // Whatever happens to the thread, the service gets an answer: the endpoint's own.
      return await Promise.race([link.call('answerFor', id).catch(() => null), late])
    } finally {
      clearTimeout(timer)
    }
  }

  onNotice(listener: (notice: ReplayNotice) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    for (const stop of this.#unsubscribe) stop()
    await this.#thread.close((link) => link.call('close'), CLOSE_MS)
    this.#listeners.clear()
  }

  async #begin(link: Link<ReplayCalls>): Promise<void> {
    const { paths, forwarding, surroundings } = this.#options
    // The deliveries can be read once the store itself reads them: it opens its databases behind.
    await this.#readHighestId().catch(() => undefined)
    await link.call('open', paths, { surroundings: surroundings(), forwarding })
    // What changed while it opened, and what was deleted while there was no thread.
    const orders: readonly ReplayOrder[] = [
      { order: 'configure', surroundings: surroundings() },
      { order: 'settled', upto: this.#judgedUpto },
      { order: 'follow-deletions' },
    ]
    for (const order of orders) link.post(order)
  }

  #take(message: ReplayMessage): void {
    switch (message.event) {
      case 'notice':
        for (const listener of this.#listeners) listener(message.notice)
        return
      case 'answers':
        this.#answerTimeout = message.timeoutMs
        return
      case 'warning':
        this.#options.warn(message.message)
    }
  }

  #gone(error: Error): void {
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
      this.#post({ order: 'settled', upto: notice.lastId })
    } else if (notice.type === 'reset') {
      if (notice.reason !== 'salvaged' && notice.reason !== 'replaced')
        this.#post({ order: 'follow-deletions' })
    }
  }

  #post(order: ReplayOrder): void {
    this.#thread.post(order)
  }

  /** Deliveries up to this one were there before now. */
  async #readHighestId(): Promise<number> {
    const [newest] = await this.#options.store.deliveries.scan(EVERYTHING, {
      after: null,
      limit: 1,
      newest: true,
    })
    return Math.max(this.#highestId, newest?.id ?? 0)
  }

  #complain(error: unknown): void {
    this.#options.warn(
      `Replays and forwards cannot go on: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
