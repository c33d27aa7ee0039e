/** The clocks of the system; tests replace them. */
export interface TimeSources {
  /** Milliseconds that never decrease; may stand still while the machine sleeps. */
  monotonic(): number
  /** Milliseconds since the epoch, by the system clock. */
  wall(): number
  /** Wall-clock milliseconds at which `monotonic` was 0, more precise than `wall`. */
  readonly origin: number
}

/** Larger differences mean that the system clock was set. Smaller ones come from the precision of `wall` and pauses of a busy machine. */
const TOLERANCE_MS = 20

const SYSTEM: TimeSources = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  origin: performance.timeOrigin,
}

/**
 * A wall clock in whole microseconds since the epoch. Between anchors it follows the monotonic clock, which orders arrivals within a
 * millisecond. When it differs from the system clock, it takes a new anchor. Then it may go back; ids give the order of deliveries.
 */
export function createArrivalClock(sources: TimeSources = SYSTEM): () => number {
  let offset = sources.origin
  return () => {
    const elapsed = sources.monotonic()
    const now = offset + elapsed
    if (Math.abs(now - sources.wall()) <= TOLERANCE_MS) return Math.floor(now * 1000)
    offset = anchor(sources)
    return Math.floor((offset + sources.monotonic()) * 1000)
  }
}

/** Pairs the two clocks; retries after a pause between the readings. Adds the half millisecond that `wall` cuts off on average. */
function anchor(sources: TimeSources): number {
  let best = { gap: Number.POSITIVE_INFINITY, offset: 0 }
  for (let tries = 0; tries < 5 && best.gap > 0.5; tries++) {
    const before = sources.monotonic()
    const wall = sources.wall()
    const gap = sources.monotonic() - before
    if (gap < best.gap) best = { gap, offset: wall + 0.5 - before }
  }
  return best.offset
}
