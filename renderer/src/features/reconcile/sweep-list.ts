import type { Sweep } from '#contract/reconcile.ts'

/** The sweeps with these in them, newest first. */
export function withSweeps(
  present: readonly Sweep[],
  fresh: readonly Sweep[],
  removed: readonly number[] = [],
): readonly Sweep[] {
  const byId = new Map([...present, ...fresh].map((sweep) => [sweep.id, sweep]))
  for (const id of removed) byId.delete(id)
  return [...byId.values()].sort((a, b) => b.id - a.id)
}
