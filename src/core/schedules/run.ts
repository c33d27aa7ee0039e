import { AcuseError, toRefusal } from '#contract/errors.ts'
import type { Schedule, ScheduleRun } from '#contract/schedule.ts'
import type { ScheduleMemory } from './ports.ts'
import { recoverMissed, sendLeftOver } from './recovery.ts'
import { Interrupted, type RunPorts } from './run-ports.ts'
import { type Swept, sweepAll } from './sweeping.ts'
import { type Told, tell } from './telling.ts'

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
