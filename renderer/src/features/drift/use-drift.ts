import { useCallback, useEffect, useRef, useState } from 'react'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Refusal } from '#contract/errors.ts'
import { list } from '@/shared/deliveries/list.ts'
import { api, host } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** While deliveries arrive, what is shown is read again this often. */
const RENEW_MS = 2_000
/** What is new is shown this soon, however much comes at once. */
const NEWS_MS = 150

type Question = Exclude<CommandName & `drift.${string}`, 'drift.reset'>

export interface Answered<C extends Question> {
  /** Null until the first answer to this very question. */
  readonly data: Result<C> | null
  readonly refusal: Refusal | null
  readonly renew: () => void
}

/** The answer to a question about what was observed, kept true while deliveries arrive. */
export function useDrift<C extends Question>(command: C, params: Params<C>): Answered<C> {
  const name = JSON.stringify(params)
  const [held, setHeld] = useState<{ readonly name: string; readonly data: Result<C> } | null>(null)
  const [refused, setRefused] = useState<{ readonly name: string; readonly refusal: Refusal } | null>(null)
  const latest = useRef({ name, params })
  useEffect(() => {
    latest.current = { name, params }
  })
  const renew = useCallback(() => {
    const asked = latest.current
    const current = () => latest.current.name === asked.name
    api.call(command, asked.params).then(
      (data) => {
        if (!current()) return
        setRefused(null)
        setHeld({ name: asked.name, data })
      },
      (error: unknown) => {
        if (current()) setRefused({ name: asked.name, refusal: refusalOf(error) })
      },
    )
  }, [command])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is asked at once
  useEffect(renew, [name, renew])
  useEffect(() => {
    const [arrivals, news] = [gathered(renew, RENEW_MS), gathered(renew, NEWS_MS)]
    const stops = [
      list.subscribe(arrivals.soon),
      host().onPush(({ push }) => {
        if (push === 'drift.changed' || push === 'store.reset') news.soon()
      }),
      arrivals.stop,
      news.stop,
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [renew])
  return {
    data: held?.name === name ? held.data : null,
    refusal: refused?.name === name ? refused.refusal : null,
    renew,
  }
}

/** Does something once for all that asked within a while. */
function gathered(act: () => void, ms: number): { readonly soon: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
