import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

export interface Answer<T> {
  readonly data: T | null
  readonly refusal: Refusal | null
  readonly renewing: boolean
  renew(): void
}

/**
 * The host's answer to a query. When the same query is sent again, the last answer stays until the next arrives.
 * @param question identifies the query; null sends none
 * @param ask sends the query; its signal aborts when the query changes @param beat a new value sends the same query again
 */
export function useAnswer<T>(
  question: string | null,
  ask: (signal: AbortSignal) => Promise<T>,
  beat?: unknown,
): Answer<T> {
  const [again, setAgain] = useState(0)
  const [held, setHeld] = useState<Held<T>>({ question: null, data: null, refusal: null, beat, again })
  const send = useEffectEvent(ask)
  const turns = useRef({ asked: 0, shown: 0 })
  const asking = useRef(new AbortController())
  // biome-ignore lint/correctness/useExhaustiveDependencies: one signal for each question
  useEffect(() => {
    const mine = new AbortController()
    asking.current = mine
    return () => mine.abort()
  }, [question])
  useEffect(() => {
    if (question === null) return
    const turn = ++turns.current.asked
    const { signal } = asking.current
    const put = (part: { readonly data?: T; readonly refusal: Refusal | null }) => {
      // When queries outpace answers, each answer is shown unless a later one already is.
      if (signal.aborted || turn < turns.current.shown) return
      turns.current.shown = turn
      setHeld((now) => ({
        data: now.question === question ? now.data : null,
        ...part,
        question,
        beat,
        again,
      }))
    }
    send(signal).then(
      (data) => put({ data, refusal: null }),
      (error: unknown) => put({ refusal: refusalOf(error) }),
    )
  }, [question, beat, again])
  const renew = useCallback(() => setAgain((now) => now + 1), [])
  if (question === null || held.question !== question)
    return { data: null, refusal: null, renewing: question !== null, renew }
  return { ...held, renewing: held.beat !== beat || held.again !== again, renew }
}

interface Held<T> {
  readonly question: string | null
  readonly data: T | null
  readonly refusal: Refusal | null
  readonly beat: unknown
  readonly again: number
}

/**
 * Throttles calls: runs the work once for all calls within an interval.
 * @param subscribe must be a stable reference @param ms interval
 * @param last delay after the last call for one more run: the host may push before all of the data is readable
 */
export function useGathered(
  subscribe: (tell: () => void) => () => void,
  ms: number | (() => number),
  act: () => void,
  last?: number,
): void {
  const run = useEffectEvent(act)
  const pause = useEffectEvent(() => (typeof ms === 'number' ? ms : ms()))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let again: ReturnType<typeof setTimeout> | undefined
    const renew = () => {
      timer = undefined
      run()
    }
    const stop = subscribe(() => {
      timer ??= setTimeout(renew, pause())
      if (last === undefined) return
      clearTimeout(again)
      again = setTimeout(renew, last)
    })
    return () => {
      stop()
      clearTimeout(timer)
      clearTimeout(again)
    }
  }, [subscribe, last])
}
