import type { HandlersOf, Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { ReconcileCommandName } from '#contract/reconcile-commands.ts'
import type { Settings } from '#contract/settings.ts'
import type { ConnectionBook } from '../connections.ts'
import { placeFinder } from '../json/place.ts'
import { scanJson } from '../json/scan.ts'
import { codeOf, OBJECT } from '../json/tree.ts'
import type { Masking } from '../masking.ts'
import type { ReconcileCallName, Reconciles } from '../ports.ts'
import type { Schedules } from '../schedules/schedules.ts'
import { rangesOf, resolveRange } from './range.ts'
import { type RecoverParts, recover } from './recover.ts'

export interface ReconcileHandlersParts extends Omit<RecoverParts, 'reconciles'> {
  /** Null in a host that sends nothing. */
  readonly reconciles: Reconciles | null
  readonly connections: ConnectionBook
  /** Null in a host that sends nothing. */
  readonly schedules: Schedules | null
  readonly masking: Masking
  /** Tells everybody of changed settings. */
  announce(changed: Promise<Settings>): Promise<Settings>
}

/** Handlers of reconciliation: they go on to the thread that compares. */
export function reconcileHandlers(
  parts: ReconcileHandlersParts,
): HandlersOf<ReconcileCommandName | 'connections.save' | 'connections.remove'> {
  const { connections, masking, announce, schedules } = parts
  const there = (): Reconciles => {
    if (!parts.reconciles) throw new AcuseError('not-available', 'This process sends nothing.')
    return parts.reconciles
  }
  const through =
    <C extends ReconcileCallName>(command: C) =>
    async (params: Params<C>): Promise<Result<C>> =>
      there().call(command, params)

  return {
    'connections.save': async (params) => {
      const { previousName, name } = params
      const renamed = previousName !== undefined && previousName !== name
      if (renamed) {
        schedules?.demandIdle(previousName, 'the connection is renamed')
        await demandIdle(parts.reconciles, previousName, 'renamed')
      }
      const settings = await announce(connections.save(params))
      if (renamed) {
        await parts.reconciles?.renameConnection(previousName, name)
        await schedules?.renamed(previousName, name)
      }
      return settings
    },
    'connections.remove': async ({ name }) => {
      schedules?.demandIdle(name, 'the connection is removed')
      await demandIdle(parts.reconciles, name, 'removed')
      const settings = await announce(connections.remove(name))
      await schedules?.gone(name)
      return settings
    },
    'connections.test': through('connections.test'),
    'sweeps.start': async ({ connection, range }) => {
      // Here already: what cannot be is refused before a thread is begun for it.
      const { from, to } = resolveRange(rangesOf(range)[0], connections.find(connection).zone)
      return there().call('sweeps.start', { connection, range: { ...range, from, to } })
    },
    'sweeps.list': through('sweeps.list'),
    'sweeps.get': through('sweeps.get'),
    'sweeps.pause': through('sweeps.pause'),
    'sweeps.resume': through('sweeps.resume'),
    'sweeps.cancel': through('sweeps.cancel'),
    'sweeps.remove': through('sweeps.remove'),
    'sweeps.compare': through('sweeps.compare'),
    'reconciliation.summary': through('reconciliation.summary'),
    'reconciliation.rows': through('reconciliation.rows'),
    'reconciliation.document': async (params) => {
      const comparison = await through('reconciliation.document')(params)
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
      rows: (await through('recovery.deliveries')(params)).rows.map(masking.row),
    }),
    'plugins.publish': async (params) => {
      checkEvent(params)
      const answer = await there().call('plugins.publish', params)
      return { ...answer, headers: answer.headers.map(masking.header) }
    },
  }
}

/** @throws AcuseError `conflict` while a sweep of the connection runs: it names its connection on disk */
async function demandIdle(
  reconciles: Reconciles | null,
  connection: string,
  to: 'removed' | 'renamed',
): Promise<void> {
  const { sweeps } = (await reconciles?.call('sweeps.list', { connection })) ?? { sweeps: [] }
  const running = sweeps.find(({ state }) => state === 'running')
  if (!running) return
  throw new AcuseError(
    'conflict',
    `Sweep ${running.id} of "${connection}" is running; cancel it, or let it end, before the connection is ${to}.`,
    { sweep: running.id },
  )
}

/** The body of plugins/events: data is an object (Endpoints, plugins/events). */
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
