import type { Sweep } from '#contract/reconcile.ts'

/**
 * How far a sweep is, from 0 to 1, by the issue date reached within its range; null where that cannot be known: the service does not say
 * how many documents there are, and treasury-sync may have no bounds.
 */
export function reachedShare({ range, reached }: Pick<Sweep, 'range' | 'reached'>): number | null {
  if (reached === null || range.from === null || range.to === null) return null
  const [from, to, at] = [range.from, range.to, reached].map((text) => Date.parse(text))
  if (from === undefined || to === undefined || at === undefined) return null
  const share = (at - from) / (to - from)
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : null
}
