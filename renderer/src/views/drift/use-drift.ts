import { useCallback, useEffect, useRef, useState } from 'react'
import type { Params, Result } from '#contract/commands.ts'
import type { DriftCommandName } from '#contract/drift-commands.ts'
import type { Refusal } from '#contract/errors.ts'
import { api, host } from '@/live/api.ts'
import { list } from '@/live/list.ts'
import { refusalOf } from '@/platform/refusal-error.ts'

/** While deliveries arrive, what is shown is read again this often. */
const RENEW_MS = 2_000

type Question = Exclude<DriftCommandName, 'drift.reset'>

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
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = (wait: number) => {
      timer ??= setTimeout(() => {
        timer = undefined
        renew()
      }, wait)
    }
    const stops = [
      list.subscribe(() => soon(RENEW_MS)),
      host().onPush(({ push }) => {
        if (push === 'drift.changed' || push === 'store.reset') renew()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
      clearTimeout(timer)
    }
  }, [renew])
  return {
    data: held?.name === name ? held.data : null,
    refusal: refused?.name === name ? refused.refusal : null,
    renew,
  }
}
