import { useCallback, useEffect, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { AttemptDetail } from '#contract/replay.ts'
import { api } from '@/shared/live/api.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { concerns } from './attempt-pages.ts'

export interface ShownAttempt {
  readonly detail: AttemptDetail | null
  readonly refusal: Refusal | null
  readonly revealed: boolean
  reveal(on: boolean): void
}

/** One attempt, read again while it is on its way. Secrets come masked until they are asked for, and are masked again with the next. */
export function useAttempt(id: number): ShownAttempt {
  const [detail, setDetail] = useState<AttemptDetail | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [revealed, setRevealed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins masked
  useEffect(() => setRevealed(false), [id])
  const read = useCallback(
    async (still: () => boolean) => {
      try {
        const found = await api.call('attempts.get', revealed ? { id, reveal: true } : { id })
        if (!still()) return
        setDetail(found)
        setRefusal(null)
      } catch (error) {
        if (still()) setRefusal(refusalOf(error))
      }
    },
    [id, revealed],
  )
  useEffect(() => {
    let current = true
    void read(() => current)
    return () => {
      current = false
    }
  }, [read])
  const delivery = detail?.state === 'sending' ? detail.deliveryId : null
  useEffect(() => {
    if (delivery === null) return
    let current = true
    const stop = useReplays.subscribe(({ last }, before) => {
      if (last !== before.last && concerns(last.changed, { delivery })) void read(() => current)
    })
    return () => {
      current = false
      stop()
    }
  }, [delivery, read])
  return { detail: detail?.id === id ? detail : null, refusal, revealed, reveal: setRevealed }
}
