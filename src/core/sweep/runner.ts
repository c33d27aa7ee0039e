import type { Kind } from '#catalog/kinds.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { GivenConnection, ItemMapping } from '#contract/connection.ts'
import { badParam, refused } from '#contract/errors.ts'
import { headerRows } from '#contract/headers.ts'
import type {
  ConnectionTest,
  MissRule,
  PublishAnswer,
  ReconciliationSummary,
  Recovery,
  Sweep,
  SweepComparison,
  SyncRoute,
} from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { validateBytes } from '../checks/validate.ts'
import type { ResolvedConnection } from '../connections.ts'
import { scanJson } from '../json/scan.ts'
import { type JsonTree, sourceOf } from '../json/tree.ts'
import type { Clock, ReconcileCallName } from '../ports.ts'
import { mappingOfItems, readItem } from '../reconcile/item.ts'
import type {
  ComparisonTerms,
  MissedEvent,
  RebuiltRecord,
  Recoverable,
  SweepStore,
} from '../reconcile/ports.ts'
import { type Rebuilt, type RebuiltEvent, type RecoveryPlan, rebuild } from '../reconcile/rebuild.ts'
import { Throttle } from '../threads.ts'
import { zonedText } from '../time/zone.ts'
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

/** Sweeps, their comparisons and recoveries, for the thread that compares. */
export function createReconcileRunner(ports: ReconcilePorts, surroundings: ReconcileSurroundings) {
  const { store, clock } = ports
  const changed = new Set<number>()
  let byName: ReadonlyMap<string, ResolvedConnection> = new Map()
  const changes = new Throttle(() => {
    const sweeps = [...changed]
    changed.clear()
    ports.notice({ sweeps })
  })
  const sweeps = new Sweeps({ ...ports, connection: connectionNamed, changed: tell })
  const recoveries = createRecoveries({ store, clock, compare: (id) => compare(id).connection })
  configure(surroundings)
  for (const id of store.recover()) tell(id)
  const calls: Calls = {
    'connections.test': ({ name, route, as }) =>
      testConnection(ports, as ? resolved(as) : connectionNamed(name), route),
    'sweeps.start': (params) => sweeps.start(params),
    'sweeps.list': ({ connection }) => ({ sweeps: store.list(connection) }),
    'sweeps.get': ({ id }) => sweeps.get(id),
    'sweeps.pause': ({ id }) => sweeps.pause(id),
    'sweeps.resume': ({ id }) => sweeps.resume(id),
    'sweeps.cancel': ({ id }) => sweeps.cancel(id),
    'sweeps.remove': ({ id }) => sweeps.remove(id),
    'sweeps.compare': ({ a, b }) => compareSweeps(a, b),
    'reconciliation.summary': ({ sweep: id }) => {
      const { connection: _, ...summary } = compare(id)
      return summary
    },
    'reconciliation.rows': ({ sweep, ...query }) => {
      renew(sweep)
      return store.rows(sweep, query)
    },
    'reconciliation.document': ({ sweep, key }) => {
      renew(sweep)
      return store.document(sweep, key)
    },
    'reconciliation.annotate': ({ connection, keys, ...change }) => ({
      changed: store.annotate(connection, keys, change),
    }),
    'recovery.deliveries': ({ sweep, after, limit }) => {
      sweeps.get(sweep)
      return { rows: store.rebuiltDeliveries(sweep, after, limit) }
    },
    'plugins.publish': (params) => publishEvent(ports, connectionNamed(params.connection), params),
  }

  function configure({ connections }: ReconcileSurroundings): void {
    byName = new Map(connections.map((one) => [one.name, one]))
  }

  function call<C extends ReconcileCallName>(command: C, params: Params<C>): Result<C> | Promise<Result<C>> {
    return calls[command](params)
  }

  /** Pauses running sweeps; each one resumes from its last page. */
  async function close(): Promise<void> {
    await sweeps.rest()
    changes.close()
  }

  function tell(id: number): void {
    changed.add(id)
    changes.ring()
  }

  function connectionNamed(name: string): ResolvedConnection {
    const found = byName.get(name)
    if (!found) throw refused('not-found', 'no-connection-yet', { path: 'connection', name })
    return found
  }

  function compare(id: number): ReconciliationSummary & { readonly connection: ResolvedConnection } {
    const { sweep, connection, terms } = termsOf(id)
    return { ...store.compare(id, terms), sweep, connection }
  }

  /** Like `compare`, but without computing the summary, since rows and documents are requested often. */
  function renew(id: number): void {
    store.renew(id, termsOf(id).terms)
  }

  function compareSweeps(first: number, second: number): SweepComparison {
    const ids = first < second ? [first, second] : [second, first]
    const [earlier, later] = ids.map((id) => {
      const { sweep, terms } = termsOf(id)
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
    return store.compareSweeps(
      { sweep: earlier.sweep.id, terms: earlier.terms },
      { sweep: later.sweep.id, terms: later.terms },
    )
  }

  function termsOf(id: number): {
    readonly sweep: Sweep
    readonly connection: ResolvedConnection
    readonly terms: ComparisonTerms
  } {
    const sweep = sweeps.get(id)
    const connection = connectionNamed(sweep.connection)
    const { endpoints, kinds, zone, ignoredFields, notYetDue, mapping, documentTypes } = connection
    const now = Math.round(clock.now())
    const unreached = sweeps.unreached(id)
    return {
      sweep,
      connection,
      terms: { now, endpoints, kinds, zone, ignoredFields, notYetDue, mapping, documentTypes, unreached },
    }
  }

  return { sweeps, recoveries, configure, call, close }
}
export type ReconcileRunner = ReturnType<typeof createReconcileRunner>

type Left = Recovery['left'][number]['reason']
/** Keeps its connection, since a new comparison per batch would take longer than everything else. */
interface Plan {
  readonly sweep: number
  readonly connection: ResolvedConnection
  readonly due: MissedEvent[]
}

/** Maximum plans in memory, in case callers abandon theirs. */
const PLANS_KEPT = 4

interface RecoveriesPorts {
  readonly store: Pick<SweepStore, 'recoverable' | 'item' | 'addRebuilt'>
  readonly clock: Clock
  compare(sweep: number): ResolvedConnection
}

function createRecoveries({ store, clock, compare }: RecoveriesPorts) {
  const plans = new Map<number, Plan>()
  let lastToken = 0

  function plan(sweep: number, select: DocumentSelection, dryRun: boolean): RecoveryPlan {
    const connection = compare(sweep)
    const timestamp = timestampIn(connection)
    const due: MissedEvent[] = []
    const left = new Map<Left, number>()
    const absent = new Map<string, { kind: Kind; field: string; events: number }>()
    let documents = 0
    for (const one of store.recoverable(sweep, select)) {
      const made = missedOf(one, 'documents' in select, connection, timestamp)
      if (typeof made === 'string') {
        left.set(made, (left.get(made) ?? 0) + 1)
        continue
      }
      documents += 1
      for (const { rule, rebuilt } of made) {
        due.push({ key: one.row.key, kind: rebuilt.kind, rule })
        for (const field of rebuilt.absent) {
          const known = absent.get(`${rebuilt.kind} ${field}`)
          if (known) known.events += 1
          else absent.set(`${rebuilt.kind} ${field}`, { kind: rebuilt.kind, field, events: 1 })
        }
      }
    }
    const token = dryRun ? null : ++lastToken
    if (token !== null) plans.set(token, { sweep, connection, due })
    for (const old of [...plans.keys()].slice(0, -PLANS_KEPT)) plans.delete(old)
    return {
      token,
      endpoint: connection.endpoints[0] ?? null,
      recovery: {
        events: due.length,
        documents,
        ids: null,
        absent: [...absent.values()],
        left: [...left].map(([reason, count]) => ({ reason, documents: count })),
      },
    }
  }

  function next(token: number, limit: number): readonly RebuiltEvent[] {
    const plan = planOf(token)
    const { connection } = plan
    const timestamp = timestampIn(connection)
    const events: RebuiltEvent[] = []
    // Events of items removed meanwhile are left out, so a batch may be short.
    while (events.length === 0 && plan.due.length > 0)
      for (const { key, kind, rule } of plan.due.splice(0, limit)) {
        const tree = treeOf(store.item(plan.sweep, key))
        if (tree)
          events.push({ key, kind, rule, body: rebuild(tree, 0, kind, timestamp, connection.mapping).body })
      }
    if (events.length === 0) plans.delete(token)
    return events
  }

  function stored(token: number, records: readonly RebuiltRecord[]): void {
    store.addRebuilt(planOf(token).sweep, records)
  }

  function planOf(token: number): Plan {
    const plan = plans.get(token)
    if (!plan) throw refused('conflict', 'recovery-forgotten')
    return plan
  }

  function missedOf(
    { row, raw, rebuilt: before }: Recoverable,
    byHand: boolean,
    { mapping, zone }: ResolvedConnection,
    timestamp: string,
  ): readonly { readonly rule: MissRule; readonly rebuilt: Rebuilt }[] | Left {
    if (row.missed.length === 0) return 'nothing-missed'
    if (row.ignored !== null && !byHand) return 'ignored'
    const tree = treeOf(raw ?? undefined)
    // Without a document id the event would be invalid.
    if (!tree || !readItem(tree, 0, { corrections: mapping, zone }).documentId) return 'no-document-id'
    let reason: Left = 'kind-unknown'
    const made: { rule: MissRule; rebuilt: Rebuilt }[] = []
    for (const { kind, rule, certainty } of row.missed) {
      if (kind === null) continue
      if (certainty === 'possibly' && !byHand) reason = 'only-possibly-missed'
      else if (before.has(kind)) reason = 'already-rebuilt'
      else {
        const rebuilt = rebuild(tree, 0, kind, timestamp, mapping)
        const { verdict } = validateBytes(new TextEncoder().encode(rebuilt.body))
        if (verdict === 'invalid' || verdict === 'unreadable') reason = 'invalid'
        else made.push({ rule, rebuilt })
      }
    }
    return made.length > 0 ? made : reason
  }

  /** The present time as the service writes it, in the connection's zone. */
  function timestampIn({ zone }: ResolvedConnection): string {
    return zonedText(zone, Math.floor(clock.now()) * 1_000)
  }

  return { plan, next, stored }
}

function treeOf(raw: Uint8Array | undefined): JsonTree | undefined {
  if (!raw) return undefined
  const tree = scanJson(new TextDecoder().decode(raw), raw)
  return 'problem' in tree ? undefined : tree
}
