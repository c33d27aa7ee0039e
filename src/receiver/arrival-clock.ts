/** Where the clock reads time; replaced in tests. */
export interface TimeSources {
  /** Milliseconds that never run backwards; may stand still while the machine sleeps. */
  monotonic(): number
  /** Milliseconds since the epoch, as the system says now. */
  wall(): number
  /** Wall-clock milliseconds at which `monotonic` was 0, finer than `wall` can say it. */
  readonly origin: number
}

/** Beyond this the clocks have really parted; below lie the millisecond that `wall` cuts off and the pauses of a busy machine. */
const TOLERANCE_MS = 20

const SYSTEM: TimeSources = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  origin: performance.timeOrigin,
}

/**
 * A wall clock in whole microseconds since the epoch. Between anchors it follows the monotonic clock, so arrivals are ordered finer than a
 * millisecond; it is anchored anew once it has parted from the wall clock. Its readings may go back then: the order of deliveries is their id.
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

/** Half a millisecond is what `wall` cuts off on average. A pair of readings with a pause in between would anchor falsely. */
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
