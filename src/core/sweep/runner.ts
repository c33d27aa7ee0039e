import type { Params, Result } from '#contract/commands.ts'
import type { GivenConnection, ItemMapping } from '#contract/connection.ts'
import { badParam, refused } from '#contract/errors.ts'
import { headerRows } from '#contract/headers.ts'
import type {
  ConnectionTest,
  PublishAnswer,
  ReconciliationSummary,
  Sweep,
  SweepComparison,
  SyncRoute,
} from '#contract/reconcile.ts'
import type { ResolvedConnection } from '../connections.ts'
import { sourceOf } from '../json/tree.ts'
import type { ReconcileCallName } from '../ports.ts'
import { mappingOfItems } from '../reconcile/item.ts'
import type { ComparisonTerms } from '../reconcile/ports.ts'
import { Throttle } from '../threads.ts'
import { zonedText } from '../time/zone.ts'
import { Recoveries } from './recoveries.ts'
import { keyOf, type ReconcilePorts, type ReconcileSurroundings, Sweeps } from './sweeps.ts'

const SAMPLE_CHARACTERS = 20_000
const DAYS = 31

/** @param given with its credentials */
function resolved({ previousName: _, apiKey = null, pluginToken = null, ...given }: GivenConnection) {
  const place = (value: string | null) => (value === null ? 'none' : 'stored')
  const places = { apiKey: place(apiKey), pluginToken: place(pluginToken) } as const
  return { ...given, ...places, secrets: { apiKey, pluginToken } }
}

/** Any answer of the service is a result, not an error. */
async function testConnection(
  { source, clock }: ReconcilePorts,
  connection: ResolvedConnection,
  route: SyncRoute,
): Promise<ConnectionTest> {
  const apiKey = keyOf(connection)
  const now = Math.floor(clock.now()) * 1_000
  const ago = (days: number) => zonedText(connection.zone, now - days * 86_400_000_000)
  const range = route === 'accounting' ? { from: ago(DAYS), to: ago(0) } : { from: null, to: null }
  const query = { route, ...range, afterDocumentId: null, documentTypeId: null, pageSize: 1 }
  const answer = await source(connection, apiKey).page(query, new AbortController().signal)
  if ('cancelled' in answer) throw refused('not-available', 'closing')
  if ('failure' in answer) {
    const { problem, status, body } = answer.failure
    return { ok: false, status, message: problem.message, problem, items: null, mapping: null, sample: body }
  }
  const { page, status } = answer
  const [first] = page.items
  const mapping = mappingOfItems(page.tree, page.items, connection.mapping)
  const sample = first === undefined ? '' : sourceOf(page.tree, first).slice(0, SAMPLE_CHARACTERS)
  return {
    ok: true,
    status,
    mapping,
    items: page.items.length,
    message: sentence(mapping),
    problem: null,
    sample: sample.toWellFormed().replaceAll(apiKey, '***') || null,
  }
}

async function publishEvent(
  { publisher }: ReconcilePorts,
  connection: ResolvedConnection,
  { eventType, data }: Params<'plugins.publish'>,
): Promise<PublishAnswer> {
  const token = connection.secrets.pluginToken
  if (token === null)
    throw badParam(
      'pluginToken',
      `The connection "${connection.name}" has no plugin token; give it one, or set ACUSE_PLUGIN_TOKEN in the environment of Acuse.`,
    )
  const { headers, ...published } = await publisher(connection, token).publish({
    eventType,
    data: data ?? null,
  })
  return { ...published, headers: headerRows(headers) }
}

function sentence(mapping: ItemMapping | null): string {
  if (!mapping) return 'The service accepts the key. It lists no items, so their shape is not known yet.'
  if (mapping.documentId === null && mapping.number === null)
    return 'The service accepts the key. Without a document id or a Number nothing can be compared: correct the mapping.'
  return Object.values(mapping).includes(null)
    ? 'The service accepts the key. Some values were not found, so the rules that need them cannot decide: correct the mapping if they have other names.'
    : 'The service accepts the key, and its items contain all values that a comparison needs.'
}

type Calls = {
  readonly [C in ReconcileCallName]: (params: Params<C>) => Result<C> | Promise<Result<C>>
}

export class ReconcileRunner {
  readonly sweeps: Sweeps
  readonly recoveries: Recoveries
  readonly #ports: ReconcilePorts
  readonly #changed = new Set<number>()
  readonly #changes: Throttle
  readonly #calls: Calls
  #connections: ReadonlyMap<string, ResolvedConnection> = new Map()

  constructor(ports: ReconcilePorts, surroundings: ReconcileSurroundings) {
    this.#ports = ports
    const connection = (name: string) => this.#connection(name)
    this.#changes = new Throttle(() => {
      const sweeps = [...this.#changed]
      this.#changed.clear()
      ports.notice({ sweeps })
    })
    this.sweeps = new Sweeps({ ...ports, connection, changed: (id) => this.#tell(id) })
    this.recoveries = new Recoveries({
      store: ports.store,
      clock: ports.clock,
      compare: (id) => this.#compare(id).connection,
    })
    this.configure(surroundings)
    for (const id of ports.store.recover()) this.#tell(id)
    this.#calls = this.#commands()
  }

  configure({ connections }: ReconcileSurroundings): void {
    this.#connections = new Map(connections.map((one) => [one.name, one]))
  }

  call<C extends ReconcileCallName>(command: C, params: Params<C>): Result<C> | Promise<Result<C>> {
    return this.#calls[command](params)
  }

  /** Pauses running sweeps; each one resumes from its last page. */
  async close(): Promise<void> {
    await this.sweeps.rest()
    this.#changes.close()
  }

  #tell(id: number): void {
    this.#changed.add(id)
    this.#changes.ring()
  }

  #connection(name: string): ResolvedConnection {
    const found = this.#connections.get(name)
    if (!found) throw refused('not-found', 'no-connection-yet', { path: 'connection', name })
    return found
  }

  #compare(id: number): ReconciliationSummary & { readonly connection: ResolvedConnection } {
    const { sweep, connection, terms } = this.#terms(id)
    return { ...this.#ports.store.compare(id, terms), sweep, connection }
  }

  /** Like `#compare`, but without computing the summary, since rows and documents are requested often. */
  #renew(id: number): void {
    this.#ports.store.renew(id, this.#terms(id).terms)
  }

  #compareSweeps(first: number, second: number): SweepComparison {
    const ids = first < second ? [first, second] : [second, first]
    const [earlier, later] = ids.map((id) => {
      const { sweep, terms } = this.#terms(id)
      if (sweep.state === 'running') throw refused('conflict', 'sweep-running', { id })
      return { sweep, terms: { ...terms, now: sweep.endedAt ?? terms.now } }
    })
    if (!earlier || !later || first === second)
      throw badParam('b', 'A sweep is compared with another one; give two.')
    if (
      earlier.sweep.connection !== later.sweep.connection ||
      earlier.sweep.range.route !== later.sweep.range.route
    )
      throw badParam(
        'b',
        `Sweeps ${earlier.sweep.id} and ${later.sweep.id} are not of one connection and route, so their documents cannot be compared.`,
      )
    return this.#ports.store.compareSweeps(
      { sweep: earlier.sweep.id, terms: earlier.terms },
      { sweep: later.sweep.id, terms: later.terms },
    )
  }

  #terms(id: number): {
    readonly sweep: Sweep
    readonly connection: ResolvedConnection
    readonly terms: ComparisonTerms
  } {
    const sweep = this.sweeps.get(id)
    const connection = this.#connection(sweep.connection)
    const { endpoints, kinds, zone, ignoredFields, notYetDue, mapping, documentTypes } = connection
    const now = Math.round(this.#ports.clock.now())
    const unreached = this.sweeps.unreached(id)
    return {
      sweep,
      connection,
      terms: { now, endpoints, kinds, zone, ignoredFields, notYetDue, mapping, documentTypes, unreached },
    }
  }

  #commands(): Calls {
    const { store } = this.#ports
    const { sweeps } = this
    return {
      'connections.test': ({ name, route, as }) =>
        testConnection(this.#ports, as ? resolved(as) : this.#connection(name), route),
      'sweeps.start': (params) => sweeps.start(params),
      'sweeps.list': ({ connection }) => ({ sweeps: store.list(connection) }),
      'sweeps.get': ({ id }) => sweeps.get(id),
      'sweeps.pause': ({ id }) => sweeps.pause(id),
      'sweeps.resume': ({ id }) => sweeps.resume(id),
      'sweeps.cancel': ({ id }) => sweeps.cancel(id),
      'sweeps.remove': ({ id }) => sweeps.remove(id),
      'sweeps.compare': ({ a, b }) => this.#compareSweeps(a, b),
      'reconciliation.summary': ({ sweep: id }) => {
        const { connection: _, ...summary } = this.#compare(id)
        return summary
      },
      'reconciliation.rows': ({ sweep, ...query }) => {
        this.#renew(sweep)
        return store.rows(sweep, query)
      },
      'reconciliation.document': ({ sweep, key }) => {
        this.#renew(sweep)
        return store.document(sweep, key)
      },
      'reconciliation.annotate': ({ connection, keys, ...change }) => ({
        changed: store.annotate(connection, keys, change),
      }),
      'recovery.deliveries': ({ sweep, after, limit }) => {
        sweeps.get(sweep)
        return { rows: store.rebuiltDeliveries(sweep, after, limit) }
      },
      'plugins.publish': (params) => publishEvent(this.#ports, this.#connection(params.connection), params),
    }
  }
}
