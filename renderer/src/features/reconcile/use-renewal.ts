import { useEffect, useRef } from 'react'
import { host } from '@/shared/live/api.ts'

/** Long enough that a burst is one renewal, short enough that nobody looks for a button. */
const SOON_MS = 1_500
/** A comparison takes at most this share of the host's time: one that takes a second comes every ten. */
const REST = 10

/**
 * Renews a comparison when deliveries arrived, or attempts to send them on have ended.
 * @param tookMs what the last renewal took, milliseconds
 */
export function useRenewal(active: boolean, tookMs: number, renew: () => void): void {
  const latest = useRef({ tookMs, renew })
  useEffect(() => {
    latest.current = { tookMs, renew }
  })
  useEffect(() => {
    if (!active) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          latest.current.renew()
        },
        Math.max(SOON_MS, latest.current.tookMs * REST),
      )
    }
    const stop = host().onPush(({ push, payload }) => {
      if (push === 'deliveries.changed' || push === 'store.reset') soon()
      else if (push === 'replays.changed' && (payload.deliveries.length > 0 || payload.more)) soon()
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [active])
}
