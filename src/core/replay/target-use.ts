import { AcuseError } from '#contract/errors.ts'
import type { Replays } from '../ports.ts'

/**
 * Queues on disk name their target, so its name stays as long as one of them uses it.
 * @throws AcuseError `conflict` while a forward or an unfinished job sends to the target
 */
export async function demandUnused(
  replays: Replays | null,
  target: string,
  to: 'removed' | 'renamed',
): Promise<void> {
  if (!replays) return
  const [{ forwards }, { jobs }] = await Promise.all([
    replays.call('forwards.list', {}),
    replays.call('jobs.list', {}),
  ])
  const forward = forwards.find(({ targets }) => targets.includes(target))
  if (forward)
    throw new AcuseError(
      'conflict',
      `The forward "${forward.name}" sends to "${target}"; give it another target, or remove it, before this one is ${to}.`,
      { forward: forward.name },
    )
  const job = jobs.find(
    ({ state, options }) => options.to.target === target && state !== 'done' && state !== 'cancelled',
  )
  if (job)
    throw new AcuseError(
      'conflict',
      `Job ${job.id} is not finished and sends to "${target}"; let it end, or cancel it, before the target is ${to}.`,
      { job: job.id },
    )
}
