import { readTimestamp } from '#catalog/date-time.ts'
import type { Params } from '#contract/commands.ts'
import { badParam, messageOf, refused } from '#contract/errors.ts'
import type { Sweep, SweepRange, SweepState } from '#contract/reconcile.ts'
import type { ResolvedConnection } from '../connections.ts'
import type { Clock, ReconcileNotice } from '../ports.ts'
import type { Corrections, ItemReading } from '../reconcile/item.ts'
import type { SweepStore } from '../reconcile/ports.ts'
import { rangesOf, resolveRange } from '../reconcile/range.ts'
import { pageItems } from '../reconcile/sweep-item.ts'
import {
  advanceSweep,
  beginSweep,
  isCurrent,
  isWithin,
  nextQuery,
  problemsOf,
  type SweepWalk,
  spanOf,
  unreachedBy,
} from '../reconcile/sweep-walk.ts'
import {
  type PluginPublisher,
  type RetryPolicy,
  type SyncAnswer,
  type SyncQuery,
  type SyncSource,
  waitBeforeRetry,
} from '../reconcile/sync-source.ts'
import type { Span } from '../reconcile/walk.ts'

export interface ReconcilePorts {
  readonly store: SweepStore
  readonly clock: Clock
  readonly retries: RetryPolicy
  source(connection: ResolvedConnection, apiKey: string): SyncSource
  publisher(connection: ResolvedConnection, token: string): PluginPublisher
  wait(ms: number, signal: AbortSignal): Promise<void>
  notice(notice: ReconcileNotice): void
  warn(message: string): void
}

export interface ReconcileSurroundings {
  readonly connections: readonly ResolvedConnection[]
  readonly ownReceiver: { readonly host: string; readonly port: number } | null
}

/** State of a sweep. `corrections` are those at its start, with which all its items are read. */
interface StoredWalk {
  readonly walk: SweepWalk
  readonly corrections: Corrections
  readonly then?: SweepRange | null
}

interface Running {
  readonly connection: string
  readonly stopping: AbortController
  readonly ended: Promise<void>
}

interface SweepsPorts extends Omit<ReconcilePorts, 'notice' | 'publisher'> {
  connection(name: string): ResolvedConnection
  changed(id: number): void
}

export class Sweeps {
  readonly #ports: SweepsPorts
  readonly #running = new Map<number, Running>()
  #resting = false

  constructor(ports: SweepsPorts) {
    this.#ports = ports
  }

  /** @throws AcuseError `not-found` */
  get(id: number): Sweep {
    const found = this.#ports.store.get(id)
    if (!found) throw refused('not-found', 'no-sweep', { id })
    return found
  }

  start({ connection: name, range }: Params<'sweeps.start'>): Sweep {
    const { zone } = this.#ports.connection(name)
    const [first, then = null] = rangesOf(range)
    return this.#begin(name, resolveRange(first, zone), then && resolveRange(then, zone))
  }

  #begin(name: string, resolved: SweepRange, then: SweepRange | null): Sweep {
    const { store, clock } = this.#ports
    const connection = this.#ports.connection(name)
    const apiKey = keyOf(connection)
    this.#demandIdle(name)
    // Types in the user's mapping are in use, even if never captured.
    const listed = connection.documentTypes.map(({ id }) => id)
    const seen = [...store.documentTypes(connection.endpoints), ...listed]
    const walk = beginSweep(resolved, seen, connection.documentTypesComplete ? listed : null)
    const { mapping: corrections, zone } = connection
    const sweep = store.add({
      connection: name,
      range: resolved,
      reading: { corrections, zone },
      startedAt: Math.round(clock.now()),
      walk: { walk, corrections, then } satisfies StoredWalk,
    })
    this.#run(sweep, { walk, corrections, then }, connection, apiKey)
    return sweep
  }

  unreached(id: number): readonly Span[] {
    const { state, range } = this.get(id)
    if (state === 'complete') return []
    const { store } = this.#ports
    const stored = store.walk(id) as StoredWalk | null
    // A sweep of a session file has no walk. An item without a key may be any document of the range.
    if (!stored || (range.route === 'accounting' && (!isCurrent(stored.walk) || store.nameless(id) > 0)))
      return [spanOf(range)]
    return unreachedBy(stored.walk)
  }

  /** @throws AcuseError `conflict` when there is nothing to resume */
  resume(id: number): Sweep {
    const { store } = this.#ports
    const sweep = this.get(id)
    if (this.#running.has(id)) return sweep
    const stored = store.walk(id) as StoredWalk | null
    const over = sweep.state === 'complete' || sweep.state === 'cancelled'
    if (over || !stored || nextQuery(stored.walk) === null) throw refused('conflict', 'sweep-over', { id })
    if (!isCurrent(stored.walk)) throw refused('conflict', 'sweep-of-earlier-version', { id })
    const connection = this.#ports.connection(sweep.connection)
    const apiKey = keyOf(connection)
    this.#demandIdle(sweep.connection)
    const going = store.change(id, { state: 'running', problems: [], endedAt: null })
    this.#run(going, stored, connection, apiKey)
    return going
  }

  async pause(id: number): Promise<Sweep> {
    const sweep = this.get(id)
    if (!this.#running.has(id) && sweep.state !== 'paused')
      throw refused('conflict', 'nothing-to-pause', { id })
    await this.#stop(id, 'paused')
    return this.get(id)
  }

  async cancel(id: number): Promise<Sweep> {
    const { store, clock } = this.#ports
    const sweep = this.get(id)
    if (sweep.state === 'complete' || sweep.state === 'incomplete' || sweep.state === 'failed')
      throw refused('conflict', 'nothing-to-cancel', { id })
    if (this.#running.has(id)) {
      await this.#stop(id, 'cancelled')
      return this.get(id)
    }
    const cancelled = store.change(id, { state: 'cancelled', endedAt: Math.round(clock.now()) })
    this.#ports.changed(id)
    return cancelled
  }

  remove(id: number): { readonly removed: number } {
    this.get(id)
    if (this.#running.has(id)) throw refused('conflict', 'sweep-to-remove', { id })
    const removed = this.#ports.store.remove(id)
    this.#ports.changed(id)
    return { removed }
  }

  async rest(): Promise<void> {
    this.#resting = true
    await Promise.all([...this.#running.keys()].map((id) => this.#stop(id, 'paused')))
  }

  #demandIdle(connection: string): void {
    const [other] = [...this.#running].find(([, running]) => running.connection === connection) ?? []
    if (other === undefined) return
    throw refused('conflict', 'sweep-before', { sweep: other, connection })
  }

  #run(
    sweep: Sweep,
    { walk, corrections, then = null }: StoredWalk,
    connection: ResolvedConnection,
    apiKey: string,
  ): void {
    const { id } = sweep
    const { store, warn } = this.#ports
    const stopping = new AbortController()
    const changed = () => this.#ports.changed(id)
    const ports = {
      ...this.#ports,
      changed,
      // Stores the corrections with each page, so that the sweep can resume from it.
      store: {
        save: (saved: number, page: Parameters<typeof store.save>[1]) =>
          store.save(saved, { ...page, walk: { walk: page.walk, corrections, then } }),
        change: store.change.bind(store),
        nameless: store.nameless.bind(store),
        shortage: store.shortage.bind(store),
      },
    }
    const source = this.#ports.source(connection, apiKey)
    const reading = { corrections, zone: connection.zone }
    const ended = runSweep(ports, { sweep, walk, source, reading, signal: stopping.signal })
      .then(
        () => {},
        (error: unknown) => {
          warn(`Sweep ${id} was interrupted and can be resumed: ${messageOf(error)}`)
          try {
            store.change(id, { state: 'paused' })
          } catch {
            // If the disk fails, `recover` pauses the sweep at the next start.
          }
        },
      )
      .finally(() => {
        this.#running.delete(id)
        changed()
        if (then) this.#follow(id, then)
      })
    this.#running.set(id, { connection: sweep.connection, stopping, ended })
    changed()
  }

  /** Starts the second route, unless the first was cancelled or refused. */
  #follow(id: number, range: SweepRange): void {
    const before = this.#ports.store.get(id)
    if (this.#resting || (before?.state !== 'complete' && before?.state !== 'incomplete')) return
    try {
      this.#begin(before.connection, range, null)
    } catch (error) {
      this.#ports.warn(
        `The sweep of ${range.route}-sync that was to follow sweep ${id} did not begin: ${messageOf(error)}`,
      )
    }
  }

  async #stop(id: number, left: 'paused' | 'cancelled'): Promise<void> {
    const running = this.#running.get(id)
    running?.stopping.abort(left)
    await running?.ended
  }
}

/** @throws AcuseError `bad-params` without a key, before anything is sent */
export function keyOf({ name, secrets }: ResolvedConnection): string {
  if (secrets.apiKey !== null) return secrets.apiKey
  throw badParam(
    'apiKey',
    `The connection "${name}" has no API key; give it one, or set ACUSE_API_KEY in the environment of Acuse.`,
  )
}

const SHORTAGE_MS = 2_000
/** Tries where nothing listens at the address, and no page came before: most likely the address is wrong. */
const TRIES_UNHEARD = 3

export interface SweepPorts {
  readonly store: Pick<SweepStore, 'save' | 'change' | 'nameless' | 'shortage'>
  readonly clock: Clock
  readonly retries: RetryPolicy
  wait(ms: number, signal: AbortSignal): Promise<void>
  changed(): void
}

interface SweepTask {
  readonly sweep: Sweep
  readonly walk: SweepWalk
  readonly source: SyncSource
  readonly reading: ItemReading
  /** Its reason is the state to leave the sweep in: `paused` or `cancelled`. */
  readonly signal: AbortSignal
}

/**
 * Holds one page in memory, and stores each page together with the position of the walk, so that a sweep can resume from there.
 * @throws AcuseError `store-failed` when a page cannot be stored; the sweep then stays `running` at the previous page
 */
export async function runSweep(ports: SweepPorts, task: SweepTask): Promise<Sweep> {
  const { store, clock, changed } = ports
  const { signal, reading } = task
  let { sweep, walk } = task
  let reached = instantOf(sweep.reached)
  const leave = (state: SweepState, problems: Sweep['problems'] = []): Sweep => {
    const ended = state === 'paused' ? null : Math.round(clock.now())
    const left = store.change(sweep.id, { state, problems, endedAt: ended })
    changed()
    return left
  }
  for (let query = nextQuery(walk); query; query = nextQuery(walk)) {
    await untilThereIsRoom(ports, task)
    const got = await askUntilItCame(ports, task, query, sweep.pages > 0)
    if ('failure' in got) return leave(sweep.pages > 0 ? 'incomplete' : 'failed', [got.failure.problem])
    if ('cancelled' in got) return leave(leftAs(signal))
    const { items, facts, mapping, latest } = pageItems(got.page, reading, sweep.mapping)
    const own = items.filter((_, at) => isWithin(walk, sweep.range, facts[at]?.issued ?? null))
    walk = advanceSweep(walk, got.page, facts)
    const further = latest && latest.instant > reached ? latest : null
    reached = further?.instant ?? reached
    sweep = store.save(sweep.id, {
      items: own,
      walk,
      mapping,
      requests: 1,
      retries: 0,
      at: Math.round(clock.now()),
      reached: further?.text ?? null,
    })
    changed()
    if (signal.aborted && nextQuery(walk)) return leave(leftAs(signal))
  }
  const problems = problemsOf(walk, sweep.mapping?.issuedAt != null, store.nameless(sweep.id))
  return leave(problems.length > 0 ? 'incomplete' : 'complete', problems)
}

async function untilThereIsRoom({ store, wait, changed }: SweepPorts, { sweep, signal }: SweepTask) {
  let told: string | null = null
  for (let short = store.shortage(); short !== null && !signal.aborted; short = store.shortage()) {
    if (short !== told) {
      store.change(sweep.id, { problems: [{ code: 'disk-low', message: short, params: {} }] })
      changed()
    }
    told = short
    await wait(SHORTAGE_MS, signal)
  }
  if (told === null) return
  store.change(sweep.id, { problems: [] })
  changed()
}

/** Counts each failed try at once, so that a crash during the wait does not lose it. */
async function askUntilItCame(
  ports: SweepPorts,
  task: SweepTask,
  query: SyncQuery,
  heard: boolean,
): Promise<SyncAnswer> {
  const { store, changed } = ports
  const { source, signal, sweep } = task
  for (let tried = 1; ; tried++) {
    if (signal.aborted) return { cancelled: true }
    const answer = await source.page(query, signal)
    if (!('failure' in answer)) {
      if (tried > 1) store.change(sweep.id, { problems: [] })
      return answer
    }
    const { problem } = answer.failure
    const unheard = !heard && problem.params.code === 'connection-refused'
    const tries = unheard ? Math.min(TRIES_UNHEARD, ports.retries.tries) : ports.retries.tries
    const waitMs = waitBeforeRetry(answer.failure, tried, { ...ports.retries, tries })
    const params = { ...problem.params, tried, tries: tries - 1 }
    const retry = waitMs === null ? {} : { retries: 1, problems: [{ ...problem, params }] }
    store.change(sweep.id, { requests: 1, ...retry })
    if (waitMs === null) return answer
    changed()
    await ports.wait(waitMs, signal)
  }
}

const leftAs = ({ reason }: AbortSignal): SweepState => (reason === 'cancelled' ? 'cancelled' : 'paused')

function instantOf(text: string | null): number {
  const read = text === null ? null : readTimestamp(text)
  return read && 'instant' in read ? read.instant : Number.NEGATIVE_INFINITY
}
