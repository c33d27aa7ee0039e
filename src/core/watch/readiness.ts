import type { HostStatus } from '#contract/status.ts'
import type { NOT_READY, Readiness } from '#contract/watch.ts'
import type { Capture, Clock } from '../ports.ts'

/** A probe must learn of a failed store within a second, so a write has less. */
const WRITE_MS = 800
/** Answers within this time share one write, so that frequent probes cost nothing. */
const SHARED_MS = 500

/**
 * A full disk may still have room for a few bytes behind the last record, but for no delivery. So the probe needs a page of its own, and as
 * much as an ordinary delivery.
 */
const PROBE = new Uint8Array(8_192)

/** Writes a body that no delivery gets. Rejects when the store can store nothing now. */
export async function proveStore(capture: Pick<Capture, 'openBody'>): Promise<void> {
  const body = capture.openBody()
  await body.write(PROBE)
  await body.abandon()
}

export const READY: Readiness = { ready: true, reason: null, message: null }

/**
 * Tells whether a delivery sent now would be stored. The status alone cannot: it turns bad with the first lost delivery, and good with the
 * first stored one, which a balancer that trusts this probe would never send.
 * @param prove rejects when nothing can be stored now
 */
export function createReadiness(
  prove: () => Promise<unknown>,
  status: () => Pick<HostStatus, 'receiver' | 'store' | 'following'>,
  clock: Clock,
): () => Promise<Readiness> {
  let probe: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined

  async function tryWriting(): Promise<Readiness> {
    const stuck = Symbol('stuck')
    const { promise: late, resolve } = Promise.withResolvers<symbol>()
    const timer = setTimeout(resolve, WRITE_MS, stuck)
    try {
      const ended = await Promise.race([prove(), late])
      if (ended === stuck) return notReady('store-stuck', `The log took no write within ${WRITE_MS} ms.`)
    } catch {
      return notReady('store-refusing', status().store.reason ?? 'The log cannot be written.')
    } finally {
      clearTimeout(timer)
    }
    const { state, reason } = status().store
    return state === 'refusing' ? notReady('store-refusing', reason ?? 'Deliveries are refused.') : READY
  }

  return async () => {
    const { receiver, following } = status()
    if (following) return following.reason === null ? READY : notReady('not-following', following.reason)
    if (receiver.state === 'off') return notReady('receiver-off', 'The receiver is off.')
    if (receiver.state === 'starting') return notReady('receiver-starting', 'The receiver is starting.')
    if (receiver.state === 'failed') return notReady('receiver-failed', receiver.failure.message)
    const now = clock.now()
    if (!probe || Math.abs(now - probe.at) >= SHARED_MS) probe = { at: now, readiness: tryWriting() }
    return probe.readiness
  }
}

const notReady = (reason: (typeof NOT_READY)[number], message: string): Readiness => ({
  ready: false,
  reason,
  message,
})
