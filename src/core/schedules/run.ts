import { PAGE_SIZE } from '#catalog/service.ts'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { AcuseError, refused, toRefusal } from '#contract/errors.ts'
import type { DocumentRow, Sweep } from '#contract/reconcile.ts'
import type { JobOptions } from '#contract/replay.ts'
import type { Schedule, ScheduleRun } from '#contract/schedule.ts'
import { rangesOf } from '../reconcile/range.ts'
import { rebuiltIds } from '../reconcile/rebuild.ts'
import { zonedText } from '../time/zone.ts'
import { Interrupted, type RunPorts, type ScheduleMemory, type ScheduleUnderWay } from './ports.ts'

const MOST_IDS = 100_000
/** Retries, since no user watches and a handler may be down for a moment. Events of one document keep their order. */
const OPTIONS: Omit<JobOptions, 'to'> = {
  ...DEFAULT_JOB_OPTIONS,
  order: 'document',
  concurrency: 4,
  retry: { times: 5, delayMs: 10_000 },
}
const ALL = { first: 1, last: Number.MAX_SAFE_INTEGER }

/** Rebuilds and sends missed events, none twice. @throws AcuseError `not-found` for a removed target, before anything is rebuilt */
export async function recoverMissed(ports: RunPorts, sweep: number, target: string) {
  const { call, remember, knowsTarget } = ports
  if (!knowsTarget(target)) throw refused('not-found', 'recovery-target-gone', { target })
  const { jobs: before } = await call('jobs.list', {})
  await remember({ sending: { sweep, target, afterJob: Math.max(0, ...before.map(({ id }) => id)) } })
  const { ids, events, documents } = await call('recovery.rebuild', {
    sweep,
    select: { classes: ['missing', 'differs'] },
  })
  const rebuilt = await rebuiltIds((params) => call('recovery.deliveries', params), sweep, ids)
  const jobs = await send(ports, rebuilt, target)
  await remember({ sending: null })
  return events === 0 ? null : { target, documents, events, jobs }
}

/** Sends events that were rebuilt but not sent when Acuse ended, since later runs skip them. Jobs already started resume by themselves. */
export async function sendLeftOver(ports: RunPorts): Promise<void> {
  const { call, memory, remember, knowsTarget } = ports
  const { sending } = memory()
  if (!sending) return
  const { jobs } = await call('jobs.list', {})
  const begun = jobs.some(({ id, options }) => id > sending.afterJob && options.to.target === sending.target)
  if (!begun && knowsTarget(sending.target)) {
    const left = await rebuiltIds((params) => call('recovery.deliveries', params), sending.sweep, ALL)
    await send(ports, left, sending.target)
  }
  await remember({ sending: null })
}

async function send({ startJob }: RunPorts, rebuilt: readonly number[], target: string) {
  const jobs: number[] = []
  for (let at = 0; at < rebuilt.length; at += MOST_IDS) {
    const ids = rebuilt.slice(at, at + MOST_IDS)
    const job = await startJob({
      source: { type: 'ids', ids },
      options: { ...OPTIONS, to: { target } },
    })
    jobs.push(job.id)
  }
  return jobs
}

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
    await sendLeftOver(ports)
    swept = await sweepAll(ports, schedule, signal)
    error = swept.error
    const [first] = swept.sweeps
    // An incomplete sweep shows misses too; without any document there is nothing to compare.
    if (first && (first.state === 'complete' || first.documents > 0)) {
      told = await tell(ports, first.id, signal)
      if (schedule.recoverTo !== null) recovery = await recoverMissed(ports, first.id, schedule.recoverTo)
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

const PAGE = 1_000
/** Maximum keys remembered; documents beyond it would be reported as new again. */
const TOLD = 20_000
/** After an update, analysing a million deliveries takes a while. */
const POLL_MS = 2_000
const POLLS = 900

interface Told {
  readonly missing: number
  readonly differs: number
  readonly fresh: number
  readonly keys: readonly string[]
}

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

/** Waits for analysis, since captured but unanalysed events would count as missed. @throws AcuseError `not-available` after too long */
async function analysed({ call }: RunPorts, signal: AbortSignal): Promise<void> {
  for (let polled = 0; polled < POLLS; polled++) {
    const { unjudged } = await call('deliveries.settled', { timeoutMs: POLL_MS })
    if (unjudged === 0) return
    if (signal.aborted) throw new Interrupted()
  }
  throw refused('not-available', 'still-analysing')
}

/** Whether an event was certainly missed; a possibly missed update alone is no reason to notify the user. */
const isMissed = ({ missed }: DocumentRow): boolean => missed.some(({ certainty }) => certainty === 'missed')
