import { host } from './api.ts'

/** A large deletion arrives as many pushes; a push that follows another within this time is left to the next poll. */
const PAUSE_MS = 1_000

/**
 * Calls at once when deliveries were deleted or have come back: counts that are shown beside the list must not lag behind it.
 * @returns ends that
 */
export function atReset(act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  return host().onPush(({ push }) => {
    const now = performance.now()
    if (push !== 'store.reset' || now - last < PAUSE_MS) return
    last = now
    act()
  })
}
