import type { Job } from '#contract/replay.ts'

export type JobAction = 'pause' | 'resume' | 'cancel' | 'retryFailed' | 'remove'

/** What can be done with a job as it stands, the usual one first. */
export function actionsOf(job: Pick<Job, 'state' | 'failed'>): readonly JobAction[] {
  switch (job.state) {
    case 'running':
      return ['pause', 'cancel']
    case 'paused':
    case 'stopped':
      return ['resume', 'cancel', ...(job.failed > 0 ? (['retryFailed'] as const) : []), 'remove']
    case 'done':
    case 'cancelled':
      return [...(job.failed > 0 ? (['retryFailed'] as const) : []), 'remove']
  }
}
