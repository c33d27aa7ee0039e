import type { Job } from '#contract/replay.ts'

/** The jobs with these in them, newest first. */
export function withJobs(present: readonly Job[], fresh: readonly Job[]): readonly Job[] {
  const byId = new Map([...present, ...fresh].map((job) => [job.id, job]))
  return [...byId.values()].sort((a, b) => b.id - a.id)
}
