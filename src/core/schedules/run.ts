import { AcuseError, toRefusal } from '#contract/errors.ts'
import type { DocumentRow } from '#contract/reconcile.ts'
import type { Schedule, ScheduleRun } from '#contract/schedule.ts'
import { Interrupted, type RunPorts, type ScheduleMemory } from './ports.ts'
import { recoverMissed, sendLeftOver } from './recovery.ts'
import { type Swept, sweepAll } from './sweeping.ts'

/**
 * One run of a schedule: sweeps the routes one after the other, compares, counts what is new, and recovers where a target is named. What
 * the service refuses is a result that says why; the next run begins where the last complete one ended.
 * @returns `busy` while another sweep of the connection is under way, `interrupted` when the signal aborts: neither is remembered as a run
 */
export async function runSchedule(
  ports: RunPorts,
  schedule: Schedule,
  by: ScheduleRun['by'],
  signal: AbortSignal,
): Promise<ScheduleRun | 'busy' | 'interrupted'> {
  const startedAt = ports.clock.now()
  let swept: Swept | null = null
  let told: Told | null = null
  let recovery: ScheduleRun['recovery'] = null
  let error: ScheduleRun['error'] = null
  try {
    await sendLeftOver(ports)
    swept = await sweepAll(ports, schedule, signal)
    error = swept.error
    const [first] = swept.sweeps
    // Misses are as true of an incomplete sweep as of a complete one; where nothing came there is nothing to compare.
    if (first && (first.state === 'complete' || first.documents > 0)) {
      told = await tell(ports, first.id, signal)
      if (schedule.recoverTo !== null) recovery = await recoverMissed(ports, first.id, schedule.recoverTo)
    }
  } catch (thrown) {
    if (thrown instanceof Interrupted || signal.aborted) return 'interrupted'
    if (isBusy(thrown) && swept === null) return 'busy'
    const { code, message } = toRefusal(thrown)
    error = { code, message, params: {} }
  }
  const run: ScheduleRun = {
    ...{ startedAt, endedAt: ports.clock.now(), by },
    ...{ from: swept?.from ?? null, to: swept?.to ?? null },
    sweeps: swept?.sweeps.map(({ id }) => id) ?? [],
    ...{ missing: told?.missing ?? null, differs: told?.differs ?? null, fresh: told?.fresh ?? 0 },
    ...{ recovery, error },
  }
  await ports.remember({
    last: run,
    underWay: null,
    ...(told ? { told: told.keys } : {}),
    // What was swept and not compared is swept again.
    sweptTo: sweptTo(ports.memory(), told && swept),
  })
  return run
}

/** Each route on its own: where one was refused, the other has come further all the same. */
function sweptTo({ sweptTo: before }: ScheduleMemory, swept: Swept | null): ScheduleMemory['sweptTo'] {
  if (swept === null) return before
  const end = Date.parse(swept.to)
  const complete = swept.sweeps.filter(({ state }) => state === 'complete')
  return { ...before, ...Object.fromEntries(complete.map(({ range }) => [range.route, end])) }
}

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof AcuseError && thrown.code === 'conflict' && thrown.details.sweep !== undefined

const PAGE = 1_000
/** As many missed documents are told apart from new ones; beyond it they would count as new again. */
const TOLD = 20_000
/** How often it is asked whether everything is analysed, and how many times: after an update, a million deliveries take a while. */
const LOOK_MS = 2_000
const LOOKS = 900

interface Told {
  /** Documents of these classes that no user ignored. */
  readonly missing: number
  readonly differs: number
  /** Documents with a missed event that are told of for the first time. */
  readonly fresh: number
  /** Keys of all documents with a missed event. */
  readonly keys: readonly string[]
}

/** Compares a sweep with what is captured by now, and tells new misses from those that a run before has told of. */
export async function tell(ports: RunPorts, sweep: number, signal: AbortSignal): Promise<Told> {
  const { call, memory } = ports
  await analysed(ports, signal)
  await call('reconciliation.summary', { sweep })
  const known = new Set(memory().told)
  const keys: string[] = []
  let [missing, differs, fresh] = [0, 0, 0]
  for (let from = 0; ; ) {
    const { rows, total } = await call('reconciliation.rows', {
      sweep,
      classes: ['missing', 'differs'],
      from,
      limit: PAGE,
    })
    for (const row of rows) {
      if (row.ignored !== null) continue
      if (row.class === 'missing') missing += 1
      else differs += 1
      if (!isMissed(row)) continue
      if (!known.has(row.key) && row.recovered === null) fresh += 1
      if (keys.length < TOLD) keys.push(row.key)
    }
    from += rows.length
    if (rows.length === 0 || from >= total) return { missing, differs, fresh, keys }
  }
}

/** What is captured, but not analysed yet, would count as missed. @throws AcuseError `not-available` when that takes too long */
async function analysed({ call }: RunPorts, signal: AbortSignal): Promise<void> {
  for (let looked = 0; looked < LOOKS; looked++) {
    const { unjudged } = await call('deliveries.settled', { timeoutMs: LOOK_MS })
    if (unjudged === 0) return
    if (signal.aborted) throw new Interrupted()
  }
  throw new AcuseError(
    'not-available',
    'Deliveries are still being analysed, so nothing was compared; the next run tries again.',
  )
}

/** Values that differ make an update only possibly missed; that alone is no reason to notify the user. */
const isMissed = ({ missed }: DocumentRow): boolean => missed.some(({ certainty }) => certainty === 'missed')
