import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import type { JobOptions } from '#contract/replay.ts'
import type { ScheduleRecovery } from '#contract/schedule.ts'
import { rebuiltIds } from '../reconcile/rebuilt-ids.ts'
import type { RunPorts } from './ports.ts'

/** As many as one job takes. */
const MOST_IDS = 100_000
/** No user watches: a handler that is away for a moment is tried again. Events of one document keep their order. */
const OPTIONS: Omit<JobOptions, 'to'> = {
  ...DEFAULT_JOB_OPTIONS,
  order: 'document',
  concurrency: 4,
  retry: { times: 5, delayMs: 10_000 },
}
const ALL = { first: 1, last: Number.MAX_SAFE_INTEGER }

/**
 * Rebuilds what a sweep found to be missed and sends it to a target by a job. What was rebuilt before is left out: no missed
 * event is sent twice.
 * @returns null where there was nothing to rebuild
 * @throws AcuseError `not-found` before anything is rebuilt when the target is gone
 */
export async function recoverMissed(
  ports: RunPorts,
  sweep: number,
  target: string,
): Promise<ScheduleRecovery | null> {
  const { call, remember, knowsTarget } = ports
  if (!knowsTarget(target))
    throw new AcuseError(
      'not-found',
      `Nothing was recovered: there is no target named "${target}" any more; choose another one for the schedule.`,
      { target },
    )
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

/**
 * Acuse ended between rebuilding and sending: then what was rebuilt would be left out by every later run, so it is sent now. Jobs that had
 * begun to send by themselves are only let go on.
 */
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

async function send(
  { startJob }: RunPorts,
  rebuilt: readonly number[],
  target: string,
): Promise<readonly number[]> {
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
