import type { HandlersOf, Params } from '#contract/commands.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import type { Recovery, Sweep } from '#contract/reconcile.ts'
import type { ReconcileCommandName } from '#contract/reconcile-commands.ts'
import type { Settings } from '#contract/settings.ts'
import { SYNTHETIC_HEADER } from '#contract/values.ts'
import type { ConnectionBook } from '../connections.ts'
import { placeFinder, scanJson } from '../json/scan.ts'
import { codeOf, OBJECT } from '../json/tree.ts'
import type { Masking } from '../masking.ts'
import type { Clock, NewDelivery, Reconciles, Store } from '../ports.ts'
import { rangesOf, resolveRange } from '../reconcile/range.ts'
import type { RebuiltEvent } from '../reconcile/rebuild.ts'
import type { Schedules } from '../schedules/schedules.ts'
import { demandSending, type Feed, forwarded, inTurn } from '../threads.ts'

const BATCH = 100

interface RecoverParts {
  readonly reconciles: Reconciles
  readonly store: Pick<Store, 'capture'>
  readonly clock: Clock
  endpoint(name: string | null): { readonly name: string; readonly path: string }
}

/** Rebuilds in batches. After an error, the stored events count as rebuilt, so the next call makes only the rest. */
async function recover(
  { reconciles, store, clock, endpoint }: RecoverParts,
  { sweep, select, dryRun = false }: Params<'recovery.rebuild'>,
): Promise<Recovery> {
  const plan = await reconciles.planRebuild(sweep, select, dryRun)
  const { token, recovery } = plan
  if (token === null) return recovery
  const at = endpoint(plan.endpoint)
  let events = 0
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (;;) {
    const batch = await reconciles.nextRebuilt(token, BATCH)
    if (batch.length === 0) break
    // Waits for all: events stored next to a failed one must be recorded as rebuilt.
    const stored = await Promise.allSettled(
      batch.map((event) => store.capture.append(synthetic(event, at, clock.now()))),
    )
    const records = batch.flatMap(({ key, kind, rule }, i) => {
      const one = stored[i]
      return one?.status === 'fulfilled' ? [{ key, kind, rule, deliveryId: one.value.id }] : []
    })
    await reconciles.storedRebuilt(token, records)
    const rejected = stored.find((one) => one.status === 'rejected')
    if (rejected) throw rejected.reason
    events += records.length
    for (const { deliveryId } of records) {
      first = Math.min(first, deliveryId)
      last = Math.max(last, deliveryId)
    }
  }
  return { ...recovery, events, ids: events > 0 ? { first, last } : null }
}

function synthetic(
  { body }: RebuiltEvent,
  { name, path }: { readonly name: string; readonly path: string },
  now: number,
): NewDelivery {
  const bytes = new TextEncoder().encode(body)
  return {
    receivedAt: Math.round(now * 1_000),
    receivingUs: 0,
    endpoint: name,
    method: 'POST',
    url: path,
    httpVersion: '1.1',
    remoteAddress: '',
    remotePort: 0,
    headers: ['Content-Type', 'application/json', SYNTHETIC_HEADER, '1'],
    trailers: [],
    body: bytes,
    bodySize: bytes.byteLength,
    answer: null,
    rejected: false,
    malformed: null,
    synthetic: true,
  }
}

interface ReconcileHandlersParts extends Omit<RecoverParts, 'reconciles'> {
  /** `reconciles` and `schedules` are null in a host that sends nothing. */
  readonly reconciles: Reconciles | null
  readonly connections: ConnectionBook
  readonly schedules: Schedules | null
  readonly masking: Masking
  announce(changed: Promise<Settings>): Promise<Settings>
}

const AS_THEY_ARE = [
  'sweeps.list',
  'sweeps.get',
  'sweeps.pause',
  'sweeps.resume',
  'sweeps.cancel',
  'sweeps.remove',
  'sweeps.compare',
  'reconciliation.summary',
  'reconciliation.rows',
] as const

export function reconcileHandlers(
  parts: ReconcileHandlersParts,
): HandlersOf<ReconcileCommandName | 'connections.save' | 'connections.remove'> {
  const { connections, masking, announce, schedules } = parts
  const there = () => demandSending(parts.reconciles)
  return {
    ...forwarded(AS_THEY_ARE, async (command, params) => there().call(command, params)),
    'connections.test': ({ as, ...asked }) =>
      there().call('connections.test', as ? { ...asked, as: connections.filled(as) } : asked),
    'connections.save': async (params) => {
      const { previousName, name } = params
      const renamed = previousName !== undefined && previousName !== name
      if (renamed) {
        schedules?.demandIdle(previousName)
        await demandIdle(parts.reconciles, previousName)
      }
      const settings = await announce(connections.save(params))
      if (renamed) {
        await parts.reconciles?.renameConnection(previousName, name)
        await schedules?.renamed(previousName, name)
      }
      return settings
    },
    'connections.remove': async ({ name }) => {
      schedules?.demandIdle(name)
      await demandIdle(parts.reconciles, name)
      const settings = await announce(connections.remove(name))
      await schedules?.gone(name)
      return settings
    },
    'sweeps.start': async ({ connection, range }) => {
      // Checked here too, to refuse an invalid range before a thread starts.
      const { from, to } = resolveRange(rangesOf(range)[0], connections.find(connection).zone)
      return there().call('sweeps.start', { connection, range: { ...range, from, to } })
    },
    'reconciliation.document': async (params) => {
      const comparison = await there().call('reconciliation.document', params)
      return {
        ...comparison,
        deliveries: comparison.deliveries.map(masking.row),
        evidence: comparison.evidence.map((one) =>
          'deliveries' in one ? { ...one, deliveries: one.deliveries.map(masking.row) } : one,
        ),
      }
    },
    'reconciliation.report': async (params) => {
      const sweep = await there().call('sweeps.get', { id: params.sweep })
      const { secrets: _, ...connection } = connections.find(sweep.connection)
      return there().report(connection, params)
    },
    'reconciliation.annotate': async (params) => {
      connections.find(params.connection)
      return there().call('reconciliation.annotate', params)
    },
    'recovery.rebuild': async (params) => recover({ ...parts, reconciles: there() }, params),
    'recovery.deliveries': async (params) => ({
      rows: (await there().call('recovery.deliveries', params)).rows.map(masking.row),
    }),
    'plugins.publish': async (params) => {
      checkEvent(params)
      const answer = await there().call('plugins.publish', params)
      return { ...answer, headers: answer.headers.map(masking.header) }
    },
  }
}

/** @throws AcuseError `conflict` while the connection has a running sweep, which refers to it by name on disk */
async function demandIdle(reconciles: Reconciles | null, connection: string) {
  const { sweeps } = (await reconciles?.call('sweeps.list', { connection })) ?? { sweeps: [] }
  const running = sweeps.find(({ state }) => state === 'running')
  if (!running) return
  throw refused('conflict', 'sweep-of-connection', { sweep: running.id, connection })
}

function checkEvent({ data }: Params<'plugins.publish'>): void {
  if (data === undefined) return
  const wrong = (sentence: string, at: { line?: number; column?: number } = {}) =>
    new AcuseError('bad-params', `data: ${sentence}`, { path: 'data', ...at })
  const tree = scanJson(data)
  if ('problem' in tree) {
    const { line, column } = placeFinder(data)(tree.offset)
    throw wrong(`not JSON from line ${line}, column ${column} on.`, { line, column })
  }
  if (codeOf(tree, 0) !== OBJECT) throw wrong('it must be an object, such as {"amount": 10}.')
}

/** Pushes changes to the windows, at most five times a second. */
export function pushSweeps(reconciles: Reconciles, feed: Feed): void {
  inTurn(reconciles, async ({ sweeps: ids }) => {
    if (!feed.heard) return
    // An unreadable sweep counts as removed; the window requests it if it still shows it.
    const found = await Promise.all(
      ids.map((id): Promise<Sweep | number> => reconciles.call('sweeps.get', { id }).catch(() => id)),
    )
    feed.send('sweeps.changed', {
      sweeps: found.filter((one) => typeof one !== 'number'),
      removed: found.filter((one) => typeof one === 'number'),
    })
  })
}
