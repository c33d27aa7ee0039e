import type { SyncFailure } from './sync-source.ts'

/** How often and how fast a page is asked for again. */
export interface Patience {
  /** In all, the first one included. */
  readonly tries: number
  /** Before the first repetition; doubled each time. Milliseconds. */
  readonly firstMs: number
  readonly mostMs: number
}
export const PATIENCE: Patience = { tries: 8, firstMs: 500, mostMs: 30_000 }

/** What a service may ask for by Retry-After: longer than this nobody waits before a screen. */
const ASKED_MOST_MS = 300_000

/**
 * How long to wait before asking again; null when it is of no use, or often enough.
 * @param tried how often it was asked for already
 */
export function waitBeforeRetry(failure: SyncFailure, tried: number, patience: Patience): number | null {
  if (!failure.passing || tried >= patience.tries) return null
  const own = Math.min(patience.mostMs, patience.firstMs * 2 ** (tried - 1))
  return Math.max(own, Math.min(ASKED_MOST_MS, failure.retryAfterMs ?? 0))
}
