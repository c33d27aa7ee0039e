import type { Pushes } from '#contract/pushes.ts'
import type { AttemptRow, AttemptsOf } from '#contract/replay.ts'

/** Whether a push may have changed these attempts. */
export function concerns(changed: Pushes['replays.changed'] | null, of: AttemptsOf): boolean {
  if (changed === null) return true
  if ('delivery' in of) return changed.more || changed.deliveries.includes(of.delivery)
  if ('job' in of) return changed.jobs.some(({ id }) => id === of.job)
  return changed.forwards !== null || changed.deliveries.length > 0
}

/**
 * The list after its newest part was read again.
 * @param fresh newest first; what is older than its last member stays as it was
 */
export function merged(
  present: readonly AttemptRow[],
  fresh: readonly AttemptRow[],
  more: boolean,
): readonly AttemptRow[] {
  const last = fresh.at(-1)
  if (!more || !last) return fresh
  return [...fresh, ...present.filter(({ id }) => id < last.id)]
}
