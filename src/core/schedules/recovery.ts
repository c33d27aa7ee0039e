import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { refused } from '#contract/errors.ts'
import type { Recovery } from '#contract/reconcile.ts'
import type { JobOptions } from '#contract/replay.ts'
import type { ScheduleRun } from '#contract/schedule.ts'
import { rebuiltDeliveries } from '../reconcile/rebuild.ts'
import { Interrupted, type RunPorts, type ScheduleMemory } from './ports.ts'
import { analysed } from './told.ts'

const MOST_IDS = 100_000
/** Retries, since no user watches and a handler may be down for a moment. Events of one document keep their order. */
const OPTIONS: Omit<JobOptions, 'to'> = {
  ...DEFAULT_JOB_OPTIONS,
  order: 'document',
  concurrency: 4,
  retry: { times: 5, delayMs: 10_000 },
}
/** Events that followers begin together: those under way are uncertain when the one that sends them fails. */
const TOGETHER = 200
const ALL = { first: 1, last: Number.MAX_SAFE_INTEGER }
const JOB_POLL_MS = 1_000
/** A target that is down must not keep a run, and so the notice of what was missed, for hours. */
const LONGEST_JOB_MS = 60_000

/** Rebuilds and sends missed events, none twice. @throws AcuseError `not-found` for a removed target, before anything is rebuilt */
export async function recoverMissed(
  ports: RunPorts,
  sweep: number,
  target: string,
  signal: AbortSignal,
): Promise<ScheduleRun['recovery']> {
  const { call, remember, knowsTarget } = ports
  if (!knowsTarget(target)) throw refused('not-found', 'recovery-target-gone', { target })
  const { jobs: before } = await call('jobs.list', {})
  await remember({ sending: { sweep, target, afterJob: Math.max(0, ...before.map(({ id }) => id)) } })
  const { ids } = await call('recovery.rebuild', { sweep, select: { classes: ['missing', 'differs'] } })
  const sent = await send(ports, sweep, ids, target, signal)
  await remember({ sending: null })
  return sent.events === 0 ? null : { target, ...sent }
}

/**
 * Sends events that were rebuilt but not sent when Acuse ended, or when another follower took over, since later runs skip them. Jobs already
 * started resume by themselves.
 */
export async function sendLeftOver(ports: RunPorts, signal: AbortSignal): Promise<void> {
  const { call, memory, remember, knowsTarget, once } = ports
  const { sending } = memory()
  if (!sending) return
  const { sweep, target } = sending
  const begun = once === null && (await call('jobs.list', {})).jobs.some((job) => isOf(job, sending))
  if (!begun && knowsTarget(target)) await send(ports, sweep, ALL, target, signal)
  await remember({ sending: null })
}

/** Whether a job sends what a schedule rebuilt. */
export const isOf = (
  { id, options }: { readonly id: number; readonly options: JobOptions },
  { afterJob, target }: NonNullable<ScheduleMemory['sending']>,
): boolean => id > afterJob && options.to.target === target

/** Starts jobs with what no follower has begun. */
async function send(
  ports: RunPorts,
  sweep: number,
  ids: Recovery['ids'],
  target: string,
  signal: AbortSignal,
) {
  const { call, startJob, once } = ports
  // An event is recognised by its document, which analysis reads from it.
  if (ids) await analysed(ports, signal)
  const rebuilt = await rebuiltDeliveries((params) => call('recovery.deliveries', params), sweep, ids)
  const due = once ? rebuilt.filter((event) => !once.begun(event)) : rebuilt
  const together = once ? TOGETHER : MOST_IDS
  const jobs: number[] = []
  let before = Promise.resolve()
  for (let at = 0; at < due.length; at += together) {
    await before
    if (signal.aborted) throw new Interrupted()
    const events = due.slice(at, at + together)
    await once?.begin(events)
    try {
      const source = { type: 'ids', ids: events.map(({ id }) => id) } as const
      const { id } = await startJob({ source, options: { ...OPTIONS, to: { target } } })
      jobs.push(id)
      if (!once) continue
      const over = jobOver(ports, id, signal).then((known) => known && once.ended(events, true))
      before = Promise.race([over, passed(ports, LONGEST_JOB_MS, signal)]).then(() => {})
    } catch (error) {
      once?.ended(events, false)
      throw error
    }
  }
  return { documents: new Set(due.map(({ documentId }) => documentId)).size, events: due.length, jobs }
}

/** @returns whether the job is known to have ended: never rejects */
async function jobOver(ports: RunPorts, id: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const job = await ports.call('jobs.get', { id }).catch(() => undefined)
    if (!job) return false
    if (job.state !== 'running' && job.state !== 'paused') return true
    await passed(ports, JOB_POLL_MS, signal)
  }
  return false
}

function passed({ timer }: RunPorts, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unset = timer.set(ms, resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  return promise.finally(unset)
}
