import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { ReplayCallName, ReplayNotice, Replays, Store, StoreNotice, TargetAnswer } from '#core/ports.ts'
import type { Surroundings } from '#core/replay/parcels.ts'
import { hasLeftOver } from '#storage/replays/left-over.ts'
import { Link } from '#storage/wire/link.ts'
import type { ReplayCalls, ReplayMessage, ReplayOrder, ReplayPaths } from './protocol.ts'

export interface ThreadReplaysOptions {
  readonly paths: ReplayPaths
  readonly worker: () => Worker
  readonly store: Store
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
const NOTHING_YET: { readonly [C in ReplayCallName]?: Result<C> } = {
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
  readonly #unsubscribe: () => void
  #link: Link<ReplayCalls> | undefined
  #opening: Promise<Link<ReplayCalls>> | undefined
  #answerTimeout: number | null = null
  #highestId = 0
  #judgedUpto = 0
  #closing: Promise<void> | undefined

  constructor(options: ThreadReplaysOptions) {
    this.#options = options
    this.#unsubscribe = options.store.onNotice((notice) => this.#follow(notice))
  }

  /** Goes on with what was left, when there is something. */
  resume(): void {
    if (hasLeftOver(this.#options.paths.replays)) this.#open().catch((error) => this.#complain(error))
  }

  /** The surroundings are others now. */
  changed(): void {
    this.#post({ order: 'configure', surroundings: this.#options.surroundings() })
  }

  async call<C extends ReplayCallName>(command: C, params: Params<C>): Promise<Result<C>> {
    const nothing: Result<C> | undefined = NOTHING_YET[command]
    if (nothing && !this.#opening && !existsSync(this.#options.paths.replays)) return nothing
    const link = await this.#open()
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
    if (timeoutMs === null || !this.#link) return null
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), timeoutMs + ANSWER_MS)
    try {
      // Whatever happens to the thread, the service gets an answer: the endpoint's own.
      return await Promise.race([this.#link.call('answerFor', id).catch(() => null), late])
    } finally {
      clearTimeout(timer)
    }
  }

  onNotice(listener: (notice: ReplayNotice) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#unsubscribe()
    const link = await this.#opening?.catch(() => undefined)
    if (!link) return
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, CLOSE_MS)
    await Promise.race([link.call('close').catch(() => undefined), late])
    clearTimeout(timer)
    await link.end()
    this.#listeners.clear()
  }

  #open(): Promise<Link<ReplayCalls>> {
    if (this.#closing) return Promise.reject(new AcuseError('not-available', 'Acuse is closing.'))
    this.#opening ??= this.#spawn().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #spawn(): Promise<Link<ReplayCalls>> {
    const { paths, worker, forwarding } = this.#options
    // The deliveries can be read once the store itself reads them: it opens its databases behind.
    await this.#readHighestId().catch(() => undefined)
    const link = new Link<ReplayCalls>(
      worker(),
      (message) => this.#take(message as ReplayMessage),
      (error) => this.#gone(link, error),
      'The thread that sends replays',
    )
    try {
      await link.call('open', paths, { surroundings: this.#options.surroundings(), forwarding })
    } catch (error) {
      await link.end()
      throw error
    }
    this.#link = link
    // What changed while it opened, and what was deleted while there was no thread.
    this.changed()
    this.#post({ order: 'settled', upto: this.#judgedUpto })
    this.#post({ order: 'follow-deletions' })
    return link
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

  #gone(link: Link<ReplayCalls>, error: Error): void {
    if (this.#link !== link) return
    this.#link = undefined
    this.#opening = undefined
    this.#answerTimeout = null
    if (this.#closing) return
    this.#options.warn(`${error.message} Another one takes over; running jobs are paused.`)
    setTimeout(() => {
      if (!this.#closing) void this.#comeBack().catch((failure) => this.#complain(failure))
    }, RESPAWN_MS).unref()
  }

  async #comeBack(): Promise<void> {
    await this.#open()
    for (const { previousName: _, ...forward } of [...this.#temporary.values()])
      await this.call('forwards.save', forward)
  }

  #remember<C extends ReplayCallName>(command: C, params: Params<C>): void {
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
      if (notice.reason === 'replaced') this.#post({ order: 'reopen' })
      else if (notice.reason !== 'salvaged') this.#post({ order: 'follow-deletions' })
    }
  }

  #post(order: ReplayOrder): void {
    this.#link?.post(order)
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
