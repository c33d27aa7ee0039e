import { setTimeout as pause } from 'node:timers/promises'
import type { AttemptRow, Job } from '#contract/replay.ts'
import { AttemptFollower } from './attempt-follower.ts'
import type { Reached } from './reach.ts'

/** Short at first, so that a few deliveries take no longer than they need; then rarely enough to cost nothing. */
const FIRST_LOOK_MS = 5
const LAST_LOOK_MS = 200
/** How long what is on its way when a job is cancelled is waited for. */
const ENDING_MS = 3_000

export interface JobScreen {
  /** Attempts that ended, each once; awaited before more are read, so that a slow reader slows the reading down. */
  attempts(rows: readonly AttemptRow[]): Promise<void>
  progress(job: Job): void
  /** Somebody paused it, or set it going again. */
  paused(job: Job): void
}

/**
 * Follows a job until it has ended, however long it is paused meanwhile.
 * @param after attempts up to this id are left out
 * @param stop resolves when the person wants no more of it: then the job is cancelled
 * @returns the job as it is then
 */
export async function followJob(
  { call }: Pick<Reached, 'call'>,
  id: number,
  after: number,
  screen: JobScreen,
  stop: Promise<void>,
): Promise<Job> {
  const follower = new AttemptFollower(call, { job: id }, after)
  let stopping = false
  const stopped = stop.then(() => {
    stopping = true
  })
  let look = FIRST_LOOK_MS
  let cancelledAt: number | undefined
  let paused = false
  for (;;) {
    if (stopping && cancelledAt === undefined) {
      cancelledAt = Date.now()
      await call('jobs.cancel', { id })
    }
    // Asked first: what ends in between is on the page then.
    const job = await call('jobs.get', { id })
    const { attempts, more } = await follower.ended()
    if (attempts.length > 0) await screen.attempts(attempts)
    if (more) continue
    screen.progress(job)
    if ((job.state === 'paused') !== paused) {
      paused = !paused
      screen.paused(job)
    }
    const waits = job.state === 'running' || (paused && !stopping)
    const late = cancelledAt !== undefined && Date.now() > cancelledAt + ENDING_MS
    if (!waits && ((job.inFlight === 0 && follower.sending === 0) || late)) return job
    await Promise.race([pause(look), ...(stopping ? [] : [stopped])])
    look = Math.min(LAST_LOOK_MS, look * 1.5)
  }
}
