import type { Params } from '#contract/commands.ts'
import { badParam, messageOf, refused } from '#contract/errors.ts'
import type { Sweep, SweepRange } from '#contract/reconcile.ts'
import type { ResolvedConnection } from '../connections.ts'
import type { Clock, ReconcileNotice } from '../ports.ts'
import type { Corrections } from '../reconcile/item.ts'
import type { SweepStore } from '../reconcile/ports.ts'
import { rangesOf, resolveRange } from '../reconcile/range.ts'
import {
  beginSweep,
  isCurrent,
  nextQuery,
  type SweepWalk,
  spanOf,
  unreachedBy,
} from '../reconcile/sweep-walk.ts'
import type { PluginPublisher, RetryPolicy, SyncSource } from '../reconcile/sync-source.ts'
import type { Span } from '../reconcile/walk.ts'
import { runSweep } from './sweeper.ts'

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
    const { walk } = store.walk(id) as StoredWalk
    // An item without a key may be any document of the range.
    if (range.route === 'accounting' && (!isCurrent(walk) || store.nameless(id) > 0)) return [spanOf(range)]
    return unreachedBy(walk)
  }

  /** @throws AcuseError `conflict` when there is nothing to resume */
  resume(id: number): Sweep {
    const { store } = this.#ports
    const sweep = this.get(id)
    if (this.#running.has(id)) return sweep
    const stored = store.walk(id) as StoredWalk
    const over = sweep.state === 'complete' || sweep.state === 'cancelled' || nextQuery(stored.walk) === null
    if (over) throw refused('conflict', 'sweep-over', { id })
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
