import { PAGE_SIZE } from '#catalog/service.ts'
import { AcuseError, toRefusal } from '#contract/errors.ts'
import type { Sweep } from '#contract/reconcile.ts'
import type { Schedule, ScheduleRun } from '#contract/schedule.ts'
import { rangesOf } from '../reconcile/range.ts'
import { zonedText } from '../time/zone.ts'
import { Interrupted, type RunPorts, type ScheduleMemory, type ScheduleUnderWay } from './ports.ts'
import { recoverMissed, sendLeftOver } from './recovery.ts'
import { type Told, tell } from './told.ts'

const SWEEP_POLL_MS = 2_000
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

export interface Swept {
  readonly from: string
  readonly to: string
  /** A refused sweep is the last one. */
  readonly sweeps: readonly Sweep[]
  readonly error: ScheduleRun['error']
}

/** Sweeps each route, continuing an interrupted run. @throws Interrupted; AcuseError `conflict` while the connection has another sweep */
export async function sweepAll(ports: RunPorts, schedule: Schedule, signal: AbortSignal): Promise<Swept> {
  const { call, remember } = ports
  const { connection, route } = schedule
  const before = ports.memory().underWay
  const { from, to } = before ?? endsOf(ports, schedule)
  const left = before ? await leftBehind(call, connection, before) : []
  // Before a sweep begins: the range names it, also when the host ends in the next moment.
  await remember({ underWay: { from, to } })
  const ranges = rangesOf({ from, to, documentTypeId: null, pageSize: PAGE_SIZE.default, route })
  const sweeps: Sweep[] = []
  for (const range of ranges) {
    const old = left.find((one) => one.range.route === range.route)
    const begun =
      (await (old?.state === 'paused' ? call('sweeps.resume', { id: old.id }) : old)) ??
      (await call('sweeps.start', { connection, range }))
    const sweep = await ended(ports, begun, signal)
    sweeps.push(sweep)
    // After a refused or stopped sweep, the next route would fare no better.
    if (sweep.state !== 'complete' && sweep.state !== 'incomplete') break
  }
  return { from, to, sweeps, error: sweeps.map(whyNot).find((one) => one !== null) ?? null }
}

/** The range: from the last complete sweep (the earlier one of both routes) minus the overlap, at first `lookBackDays` back. */
function endsOf({ clock, zone, memory }: RunPorts, { route, overlapMinutes, lookBackDays }: Schedule) {
  const now = clock.now()
  const { sweptTo } = memory()
  const begins = (route === 'both' ? (['accounting', 'treasury'] as const) : [route]).map((one) => {
    const last = sweptTo[one]
    return last === undefined ? now - lookBackDays * DAY_MS : last - overlapMinutes * MINUTE_MS
  })
  const text = (at: number): string => zonedText(zone(), Math.floor(at) * 1_000)
  return { from: text(Math.min(now, ...begins)), to: text(now) }
}

/** The sweeps of an interrupted run that can be used or resumed. */
export async function leftBehind(
  call: RunPorts['call'],
  connection: string,
  { from, to }: ScheduleUnderWay,
): Promise<readonly Sweep[]> {
  const { sweeps } = await call('sweeps.list', { connection })
  const usable = new Set(['paused', 'running', 'complete'])
  return sweeps.filter(({ state, range }) => range.from === from && range.to === to && usable.has(state))
}

async function ended(ports: RunPorts, begun: Sweep, signal: AbortSignal): Promise<Sweep> {
  let sweep = begun
  while (sweep.state === 'running') {
    await changeOrWhile(ports, signal)
    if (signal.aborted) throw new Interrupted()
    sweep = await ports.call('sweeps.get', { id: sweep.id })
  }
  // The next run resumes a sweep paused by the end of Acuse; a sweep paused by the user stays paused.
  if (signal.aborted) throw new Interrupted()
  return sweep
}

function changeOrWhile({ onSweeps, timer }: RunPorts, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onSweeps(resolve)
  const unset = timer.set(SWEEP_POLL_MS, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  return promise.finally(() => {
    stop()
    unset()
  })
}

function whyNot({ id, state, problems }: Sweep): ScheduleRun['error'] {
  const [problem] = problems
  if (problem) return problem
  if (state === 'complete') return null
  return {
    code: state,
    message: `Sweep ${id} was ${state} before its end.`,
    params: { sweep: id },
  }
}

/**
 * One run: sweeps, compares, counts new misses, and recovers if the schedule has a target. A refusal by the service is a result.
 * @returns `busy` while the connection has another sweep, `interrupted` when the signal aborts; neither is stored as a run
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
    await sendLeftOver(ports, signal)
    swept = await sweepAll(ports, schedule, signal)
    error = swept.error
    const [first] = swept.sweeps
    // An incomplete sweep shows misses too; without any document there is nothing to compare.
    if (first && (first.state === 'complete' || first.documents > 0)) {
      told = await tell(ports, first.id, signal)
      if (schedule.recoverTo !== null)
        recovery = await recoverMissed(ports, first.id, schedule.recoverTo, signal)
    }
  } catch (thrown) {
    if (thrown instanceof Interrupted || signal.aborted) return 'interrupted'
    if (isBusy(thrown) && swept === null) return 'busy'
    const { code, message, details = {} } = toRefusal(thrown)
    const known = Object.entries(details).filter((one): one is [string, string | number] => one[1] !== null)
    error = { code, message, params: Object.fromEntries(known) }
  }
  const run: ScheduleRun = {
    startedAt,
    endedAt: ports.clock.now(),
    by,
    from: swept?.from ?? null,
    to: swept?.to ?? null,
    sweeps: swept?.sweeps.map(({ id }) => id) ?? [],
    missing: told?.missing ?? null,
    differs: told?.differs ?? null,
    fresh: told?.fresh ?? 0,
    recovery,
    error,
  }
  await ports.remember({
    last: run,
    underWay: null,
    ...(told ? { told: told.keys } : {}),
    // A range that was swept but not compared is swept again.
    sweptTo: sweptTo(ports.memory(), told && swept),
  })
  return run
}

/** Per route, so that a refusal of one does not hold back the other. */
function sweptTo({ sweptTo: before }: ScheduleMemory, swept: Swept | null): ScheduleMemory['sweptTo'] {
  if (swept === null) return before
  const end = Date.parse(swept.to)
  const complete = swept.sweeps.filter(({ state }) => state === 'complete')
  return { ...before, ...Object.fromEntries(complete.map(({ range }) => [range.route, end])) }
}

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof AcuseError && thrown.code === 'conflict' && thrown.details.sweep !== undefined
