import { PAGE_SIZE } from '#catalog/service.ts'
import type { Sweep } from '#contract/reconcile.ts'
import type { Schedule, ScheduleRun } from '#contract/schedule.ts'
import { rangesOf } from '../reconcile/range.ts'
import { zonedText } from '../time/zone.ts'
import { Interrupted, type RunPorts, type ScheduleUnderWay } from './ports.ts'

/** How often a sweep is asked for that tells of no change. */
const LOOK_MS = 2_000
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

export interface Swept {
  /** Issue dates, as sent. */
  readonly from: string
  readonly to: string
  /** In the order of the routes; one that was refused is the last. */
  readonly sweeps: readonly Sweep[]
  /** Why they are not all complete. */
  readonly error: ScheduleRun['error']
}

/**
 * Sweeps the schedule's routes, one after the other; what the end of Acuse left behind is gone on with.
 * @throws Interrupted when the signal aborts; AcuseError `conflict` with `details.sweep` while another sweep of the connection runs
 */
export async function sweepAll(ports: RunPorts, schedule: Schedule, signal: AbortSignal): Promise<Swept> {
  const { call, remember } = ports
  const { connection, route } = schedule
  const before = ports.memory().underWay
  const { from, to } = before ?? endsOf(ports, schedule)
  const ranges = rangesOf({ from, to, documentTypeId: null, pageSize: PAGE_SIZE.default, route })
  const sweeps: Sweep[] = []
  for (const [i, range] of ranges.entries()) {
    const old = await leftBehind(ports, before?.sweeps[i])
    const begun = old ?? (await call('sweeps.start', { connection, range }))
    await remember({ underWay: { from, to, sweeps: [...sweeps, begun].map(({ id }) => id) } })
    const sweep = await ended(ports, begun, signal)
    sweeps.push(sweep)
    // What was refused or stopped is not followed by more of the same.
    if (sweep.state !== 'complete' && sweep.state !== 'incomplete') break
  }
  return { from, to, sweeps, error: sweeps.map(whyNot).find((one) => one !== null) ?? null }
}

/** Since the last complete sweep minus the overlap, of both routes where both are swept; the first time so many days back. */
function endsOf(
  { clock, zone, memory }: RunPorts,
  { route, overlapMinutes, lookBackDays }: Schedule,
): Pick<ScheduleUnderWay, 'from' | 'to'> {
  const now = clock.now()
  const { sweptTo } = memory()
  const begins = (route === 'both' ? (['accounting', 'treasury'] as const) : [route]).map((one) => {
    const last = sweptTo[one]
    return last === undefined ? now - lookBackDays * DAY_MS : last - overlapMinutes * MINUTE_MS
  })
  const text = (at: number): string => zonedText(zone(), Math.floor(at) * 1_000)
  return { from: text(Math.min(now, ...begins)), to: text(now) }
}

/** A sweep of a run that Acuse's own end interrupted, going on if it has to; undefined where it is to be made anew. */
async function leftBehind({ call }: RunPorts, id: number | undefined): Promise<Sweep | undefined> {
  if (id === undefined) return undefined
  const sweep = await call('sweeps.get', { id }).catch(() => undefined)
  if (sweep?.state === 'paused') return call('sweeps.resume', { id })
  return sweep?.state === 'complete' || sweep?.state === 'running' ? sweep : undefined
}

async function ended(ports: RunPorts, begun: Sweep, signal: AbortSignal): Promise<Sweep> {
  let sweep = begun
  while (sweep.state === 'running') {
    await changeOrWhile(ports, signal)
    if (signal.aborted) throw new Interrupted()
    sweep = await ports.call('sweeps.get', { id: sweep.id })
  }
  // What Acuse's end pauses is gone on with; what a person paused is that person's.
  if (signal.aborted) throw new Interrupted()
  return sweep
}

function changeOrWhile({ onSweeps, timer }: RunPorts, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onSweeps(resolve)
  const unset = timer.set(LOOK_MS, resolve)
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
    message: `Sweep ${id} was ${state} before it came to its end.`,
    params: { sweep: id },
  }
}
