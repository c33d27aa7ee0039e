import { KINDS } from '#catalog/kinds.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Pushes } from '#contract/pushes.ts'
import type {
  DocumentRow,
  Evidence,
  PublishAnswer,
  Recovery,
  Sweep,
  SweepRequest,
} from '#contract/reconcile.ts'
import type { DocumentSelection, ReconcileCommandName } from '#contract/reconcile-commands.ts'
import { scanJson } from '#core/json/scan.ts'
import { mappingOf } from '#core/reconcile/item.ts'
import { rangesOf, resolveRange } from '#core/reconcile/range.ts'
import { zonedText } from '#core/time/zone.ts'
import type { Made } from './deliveries.ts'
import {
  type Annotation,
  type Compared,
  compared,
  issuedOf,
  summaryOf,
  unreachedOf,
} from './reconcile-compare.ts'
import {
  type ConnectionName,
  type ConnectionsHost,
  connectionHandlers,
  connectionOf,
  withConnections,
} from './reconcile-connections.ts'
import { plan } from './reconcile-recovery.ts'
import { reportOf } from './reconcile-report.ts'
import { sweepsCompared } from './reconcile-two.ts'
import { deliveryFrom, documentAt, FIRST_ID, type WorldDocument } from './reconcile-world.ts'

type Handlers = {
  readonly [C in ReconcileCommandName | 'connections.save' | 'connections.remove']: (
    params: Params<C>,
  ) => Result<C>
}

/** What the fake host lends. */
interface ReconcileHost extends ConnectionsHost {
  push(push: 'sweeps.changed', payload: Pushes['sweeps.changed']): void
}
const TICK_MS = 60
const FIRST_SYNTHETIC = 90_000_000
const HOUR_MS = 3_600_000

/** Connections, sweeps and comparisons in memory over a deterministic world with every class in it; nothing goes out. */
export class FakeReconcile {
  /** Documents of a sweep. */
  count = 400
  /** Pages that come at every tick; 0 lets a sweep stand still. */
  perTick = 1
  /** What the plugin route answers in place of taking the event. */
  pluginAnswer: Partial<PublishAnswer> = {}
  /** What was published, in order. */
  readonly published: { connection: string; eventType: string; data: string | null }[] = []
  readonly handlers: Handlers
  readonly #host: ReconcileHost
  readonly #sweeps: Sweep[] = []
  readonly #worlds = new Map<number, readonly WorldDocument[]>()
  readonly #annotations = new Map<string, Annotation>()
  readonly #deliveries = new Map<number, Made>()
  readonly #rebuilt = new Map<string, Made[]>()
  readonly #rebuiltOf = new Map<number, Made[]>()
  readonly #then = new Map<number, Sweep['range']>()
  #timer: ReturnType<typeof setInterval> | undefined
  #lastSynthetic = FIRST_SYNTHETIC

  constructor(host: ReconcileHost) {
    this.#host = host
    this.handlers = { ...connectionHandlers(host), ...this.#others }
  }

  /** Two connections, and a sweep that is done with so many documents; 0: only the connections. */
  fill(count: number): void {
    this.count = count
    withConnections(this.#host, [
      {
        ...DEFAULT_CONNECTION,
        name: 'produccion',
        baseUrl: 'https://api.example.com',
        apiKey: 'stored',
        kinds: KINDS.map(({ kind }) => kind).filter((kind) => !kind.startsWith('gasto.')),
      },
      { ...DEFAULT_CONNECTION, name: 'sandbox', baseUrl: 'http://127.0.0.1:4500', pluginToken: 'stored' },
    ])
    if (count === 0) return
    const range = { route: 'accounting' as const, ...this.lastDays(), documentTypeId: null, pageSize: 200 }
    const { id, startedAt } = this.#start(this.#connection('produccion'), range)
    while (this.#sweep(id).state === 'running') this.#advance(this.#sweep(id))
    this.change(id, { endedAt: startedAt + 9_400 })
  }

  /** The twenty days before today, as the range of the sweep that is there from the beginning. */
  lastDays(): { readonly from: string; readonly to: string } {
    const day = (ago: number) =>
      zonedText(DEFAULT_CONNECTION.zone, (Date.now() - ago * 24 * HOUR_MS) * 1_000).slice(0, 10)
    return { from: day(20), to: day(1) }
  }

  /** A delivery of a comparison; undefined when the id is none of its. */
  made(id: number): Made | undefined {
    return id < FIRST_ID ? undefined : this.#deliveries.get(id)
  }

  #connection(name: string): Connection {
    return connectionOf(this.#host, name)
  }

  #sweep(id: number): Sweep {
    const found = this.#sweeps.find((one) => one.id === id)
    if (!found) throw new AcuseError('not-found', `There is no sweep ${id}.`)
    return found
  }

  /** For specs: makes a sweep other than it became. */
  change(id: number, change: Partial<Sweep>): Sweep {
    const before = this.#sweep(id)
    const changed = { ...before, ...change }
    this.#sweeps[this.#sweeps.indexOf(before)] = changed
    this.#host.push('sweeps.changed', { sweeps: [changed], removed: [] })
    return changed
  }

  /** Both routes: the second follows by itself, as it does with a real host. */
  #request(connection: Connection, request: SweepRequest): Sweep {
    const [first, then] = rangesOf(request)
    const sweep = this.#start(connection, first)
    if (then) this.#then.set(sweep.id, then)
    return sweep
  }

  #start(connection: Connection, range: Sweep['range']): Sweep {
    if (this.#sweeps.some((one) => one.state === 'running' && one.connection === connection.name))
      throw new AcuseError('conflict', `A sweep of "${connection.name}" runs already.`)
    const id = (this.#sweeps[0]?.id ?? 0) + 1
    const resolved = resolveRange(range, connection.zone)
    const sweep: Sweep = {
      id,
      connection: connection.name,
      range: resolved,
      state: 'running',
      problems: [],
      startedAt: Date.now(),
      endedAt: null,
      ...{ requests: 0, retries: 0, pages: 0, items: 0, documents: 0 },
      reached: null,
      mapping: null,
    }
    this.#sweeps.unshift(sweep)
    const world = this.#world(resolved)
    this.#worlds.set(id, world)
    for (const made of world.flatMap(({ deliveries }) => deliveries)) this.#deliveries.set(made.row.id, made)
    this.#run()
    return sweep
  }

  /** Documents spread evenly over the range, and three of the last hours, which are not due yet. */
  #world(range: Sweep['range']): readonly WorldDocument[] {
    const now = Date.now()
    const from = range.from === null ? now - 20 * 24 * HOUR_MS : Date.parse(range.from)
    const to = Math.min(now - 26 * HOUR_MS, range.to === null ? now : Date.parse(range.to))
    return Array.from({ length: this.count }, (_, index) => {
      const recent = index >= this.count - 3
      const at = recent ? now - HOUR_MS * (this.count - index) : from + ((to - from) * index) / this.count
      return documentAt(11, index, Math.floor(at / 1_000) * 1_000, recent)
    })
  }

  #run(): void {
    this.#timer ??= setInterval(() => {
      const running = this.#sweeps.filter(({ state }) => state === 'running')
      if (running.length === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
      for (const sweep of running) this.#advance(sweep)
    }, TICK_MS)
  }

  #advance(sweep: Sweep): void {
    if (this.perTick === 0) return
    const listed = (this.#worlds.get(sweep.id) ?? []).filter(({ item }) => item !== null)
    const pages = Math.max(1, Math.ceil(listed.length / sweep.range.pageSize))
    const page = Math.min(pages, sweep.pages + this.perTick)
    const documents = Math.min(listed.length, page * sweep.range.pageSize)
    const issued = listed[documents - 1]?.item?.document.issuedAt
    const tree = scanJson(listed[0]?.itemText ?? '')
    this.change(sweep.id, {
      ...{ pages: page, requests: page, documents, items: documents + page - 1 },
      reached: issued ? new Date(issued / 1_000).toISOString() : null,
      mapping: 'problem' in tree ? null : mappingOf(tree, 0),
      ...(page === pages ? { state: 'complete' as const, endedAt: Date.now() } : {}),
    })
    const then = this.#then.get(sweep.id)
    if (page < pages || !then) return
    this.#then.delete(sweep.id)
    this.#start(this.#connection(sweep.connection), then)
  }

  /** Documents that a comparison of the sweep is about. */
  #listed(id: number): readonly WorldDocument[] {
    const beyond = unreachedOf(this.#sweep(id))
    const world = this.#worlds.get(id) ?? []
    return beyond ? world.filter((document) => issuedOf(document) < beyond.from) : world
  }

  #compared(id: number): readonly Compared[] {
    const sweep = this.#sweep(id)
    const connection = this.#connection(sweep.connection)
    return this.#listed(id).map((document) => {
      const rebuilt = this.#rebuilt.get(document.documentId)?.[0]
      const recovered = rebuilt ? { at: rebuilt.row.receivedAt, status: 200 } : null
      return compared(document, connection, sweep, this.#annotations.get(document.documentId), recovered)
    })
  }

  #rows(id: number): readonly DocumentRow[] {
    return this.#compared(id)
      .map(({ row }) => row)
      .sort((a, b) => (a.issuedAt ?? Number.MAX_VALUE) - (b.issuedAt ?? Number.MAX_VALUE))
  }

  #evidence({ row }: Compared): readonly Evidence[] {
    if (row.missed.length === 0 || row.issuedAt === null) return []
    const at = row.issuedAt / 1_000
    return [
      { type: 'coverage', spans: [{ state: 'off', from: at - 600_000, to: at + 1_800_000 }] },
      { type: 'answers', status: 503, count: 4 },
    ]
  }

  #rebuild(sweep: number, select: DocumentSelection, dryRun: boolean): Recovery {
    const { made, outcome } = plan(this.#compared(sweep), select, (key) => this.#rebuilt.has(key))
    if (dryRun || made.length === 0) return { ...outcome, ids: null }
    const first = this.#lastSynthetic + 1
    for (const { key, body } of made) {
      this.#lastSynthetic += 1
      const delivery = deliveryFrom(this.#lastSynthetic, body, Date.now(), true)
      this.#deliveries.set(delivery.row.id, delivery)
      this.#rebuilt.set(key, [...(this.#rebuilt.get(key) ?? []), delivery])
      this.#rebuiltOf.set(sweep, [...(this.#rebuiltOf.get(sweep) ?? []), delivery])
    }
    return { ...outcome, ids: { first, last: this.#lastSynthetic } }
  }

  readonly #others: Omit<Handlers, ConnectionName> = {
    'sweeps.start': ({ connection, range }) => this.#request(this.#connection(connection), range),
    'sweeps.list': ({ connection }) => ({
      sweeps: this.#sweeps.filter((one) => connection === undefined || one.connection === connection),
    }),
    'sweeps.get': ({ id }) => this.#sweep(id),
    'sweeps.pause': ({ id }) => this.change(id, { state: 'paused' }),
    'sweeps.resume': ({ id }) => {
      const sweep = this.change(id, { state: 'running', problems: [] })
      this.#run()
      return sweep
    },
    'sweeps.cancel': ({ id }) => this.change(id, { state: 'cancelled', endedAt: Date.now() }),
    'sweeps.remove': ({ id }) => {
      this.#sweeps.splice(this.#sweeps.indexOf(this.#sweep(id)), 1)
      this.#host.push('sweeps.changed', { sweeps: [], removed: [id] })
      return { removed: 1 }
    },
    'reconciliation.summary': ({ sweep }) => {
      const { connection } = this.#sweep(sweep)
      const beyond = unreachedOf(this.#sweep(sweep))
      const captured = (this.#worlds.get(sweep) ?? []).filter(({ events }) => events.length > 0)
      return summaryOf(this.#sweep(sweep), this.#rows(sweep), this.#connection(connection).zone, {
        notReached: beyond ? captured.filter((document) => issuedOf(document) >= beyond.from).length : 0,
        unreached: beyond ? [beyond] : [],
      })
    },
    'sweeps.compare': ({ a, b }) => {
      const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map((id) => {
        const sweep = this.#sweep(id)
        const { zone } = this.#connection(sweep.connection)
        const { counts } = summaryOf(sweep, this.#rows(id), zone, { notReached: 0, unreached: [] })
        return { sweep, counts, rows: this.#rows(id) }
      })
      if (!earlier || !later || earlier === later) throw new AcuseError('bad-params', 'Give two sweeps.')
      return sweepsCompared(earlier, later)
    },
    'reconciliation.rows': ({ sweep, classes, text = '', from, limit }) => {
      const wanted = text.toLowerCase()
      const rows = this.#rows(sweep).filter(
        (row) =>
          (classes === undefined || classes.includes(row.class)) &&
          [row.documentId, row.number, row.party, row.note].some((one) =>
            one?.toLowerCase().includes(wanted),
          ),
      )
      return { rows: rows.slice(from, from + limit), from, total: rows.length }
    },
    'reconciliation.document': ({ sweep, key }) => {
      const found = this.#compared(sweep).find(({ row }) => row.key === key)
      if (!found) throw new AcuseError('not-found', `There is no document ${key} in sweep ${sweep}.`)
      const { row, differences, document } = found
      return {
        row,
        differences,
        deliveries: [...document.deliveries, ...(this.#rebuilt.get(key) ?? [])].map((made) => made.row),
        item: document.itemText,
        otherItem: null,
        mapping: this.#sweep(sweep).mapping,
        evidence: this.#evidence(found),
      }
    },
    'reconciliation.report': (params) => {
      const { connection } = this.#sweep(params.sweep)
      return reportOf(params, connection, this.#rows(params.sweep))
    },
    'reconciliation.annotate': ({ keys, note, ignored }) => {
      for (const key of keys) {
        const before = this.#annotations.get(key) ?? { note: null, ignored: null }
        this.#annotations.set(key, {
          note: note === undefined ? before.note : note,
          ignored: ignored === undefined ? before.ignored : ignored,
        })
      }
      return { changed: keys.length }
    },
    'recovery.rebuild': ({ sweep, select, dryRun = false }) => this.#rebuild(sweep, select, dryRun),
    'recovery.deliveries': ({ sweep, after, limit }) => ({
      rows: (this.#rebuiltOf.get(sweep) ?? [])
        .map(({ row }) => row)
        .filter(({ id }) => id > after)
        .slice(0, limit),
    }),
    'plugins.publish': ({ connection, eventType, data }) => {
      if (this.#connection(connection).pluginToken === 'none')
        throw new AcuseError('bad-params', 'This connection has no plugin token.', { path: 'pluginToken' })
      this.published.push({ connection, eventType, data: data ?? null })
      return {
        ...{ ok: true, status: 202, message: '', error: null, tookUs: 18_400 },
        headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8', masked: false }],
        body: '{"forwardedTo":2}',
        ...this.pluginAnswer,
      }
    },
  }

  /** When the receiver listened: always, but for six hours of the sixth day of what is asked for. */
  coverage({ from, to }: Params<'coverage.list'>): Result<'coverage.list'> {
    const off = from + 5.2 * 24 * HOUR_MS
    const on = off + 6 * HOUR_MS
    if (on >= to) return { spans: [{ state: 'listening', from, to }] }
    return {
      spans: [
        { state: 'listening', from, to: off },
        { state: 'off', from: off, to: on },
        { state: 'listening', from: on, to },
      ],
    }
  }
}
