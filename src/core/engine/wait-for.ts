import type { DeliveryRow } from '#contract/delivery.ts'
import type { Call } from '../ports.ts'

/** A host's deliveries and their changes, in this process or another. */
export interface Followed {
  readonly call: Call
  /** Calls the listener soon after each change. Resolves once it is active, with a function that ends it. */
  follow(changed: () => void): Promise<() => void>
}

export interface WaitParams {
  readonly filter: string
  /** How many deliveries must match at the same time. */
  readonly count: number
  /** Only deliveries after this id count; `now`: only those that arrive from now on. */
  readonly since: number | 'now'
  readonly timeoutMs: number
}

export interface Waited {
  /** At most `count`, the oldest first; fewer after a time-out. */
  readonly rows: readonly DeliveryRow[]
  readonly timedOut: boolean
  /** Id of the last delivery that does not count. */
  readonly after: number
}

/** Limit of `deliveries.scan`. */
const PAGE = 1_000

/**
 * Waits until deliveries match a filter. Only analysed ones count, since before it a denial such as `-verdict:valid` selects all.
 * Follows changes before the first query, and queries again after each one, so it misses none between the two; results of analysis,
 * attempts and tags are changes too.
 * @throws AcuseError `bad-filter`, and `not-available` when the host ends
 */
export async function waitForDeliveries(
  source: Followed,
  { filter, count, since, timeoutMs }: WaitParams,
): Promise<Waited> {
  const deadline = performance.now() + timeoutMs
  let changed = Promise.withResolvers<void>()
  const unfollow = await source.follow(() => changed.resolve())
  try {
    const after = since === 'now' ? await lastArrived(source.call) : since
    for (;;) {
      changed = Promise.withResolvers()
      const began = performance.now()
      const rows = await matching(source.call, filter, after, count)
      if (rows.length === count || began >= deadline) return { rows, timedOut: rows.length < count, after }
      // A filter that takes long is queried less often than the pushes arrive.
      await within(new Promise((resolve) => setTimeout(resolve, performance.now() - began)), deadline)
      await within(changed.promise, deadline)
    }
  } finally {
    unfollow()
  }
}

async function matching(call: Call, filter: string, after: number, count: number): Promise<DeliveryRow[]> {
  const found: DeliveryRow[] = []
  for (let from = after; found.length < count; ) {
    const { rows } = await call('deliveries.scan', { filter, after: from, limit: Math.min(PAGE, count) })
    found.push(...rows.filter(({ verdict }) => verdict !== null))
    const last = rows.at(-1)
    if (!last || rows.length < Math.min(PAGE, count)) break
    from = last.id
  }
  return found.slice(0, count)
}

/** Reads the list before the count of what it lacks: deliveries filed in between then count as later ones, and none is missed. */
async function lastArrived(call: Call): Promise<number> {
  const { rows } = await call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true })
  const { counts } = await call('status.get', {})
  return (rows[0]?.id ?? 0) + counts.unfiled
}

async function within(waited: Promise<void>, deadline: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, Math.max(0, deadline - performance.now()))
  await Promise.race([waited, late.promise])
  clearTimeout(timer)
}
