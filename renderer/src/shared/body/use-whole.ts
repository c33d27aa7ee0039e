import { useCallback, useEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import {
  type BodySource,
  closeBody,
  type FailedBody,
  isComplete,
  isOpen,
  type OpenBody,
  openBody,
  openWhole,
  UNASKED,
} from './open-body.ts'

/** Brings the rest of a body: unasked up to UNASKED, beyond that when `load` is called. */
export function useWhole(begun: OpenBody | FailedBody) {
  const refusalText = useRefusalText()
  const [whole, setWhole] = useState<OpenBody | null>(null)
  const [received, setReceived] = useState<number | null>(null)
  const [failure, setFailure] = useState<Refusal | null>(null)
  const running = useRef<AbortController>(undefined)

  const load = useCallback(async () => {
    if (!isOpen(begun)) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setFailure(null)
    setReceived(0)
    try {
      const loaded = await openWhole(begun, controller.signal, (now) => {
        if (!controller.signal.aborted) setReceived(now)
      })
      if (controller.signal.aborted) return closeBody(loaded)
      if (loaded) setWhole(loaded)
    } catch (error) {
      if (!controller.signal.aborted) setFailure(refusalOf(error))
    }
    if (running.current === controller) setReceived(null)
  }, [begun])

  useEffect(() => {
    if (isOpen(begun) && !isComplete(begun) && begun.total <= UNASKED) void load()
    return () => {
      running.current?.abort()
      setReceived(null)
      setFailure(null)
      setWhole((present) => {
        if (present) closeBody(present)
        return null
      })
    }
  }, [begun, load])

  const failed = isOpen(begun) || !begun.refusal ? null : { ...begun, problem: refusalText(begun.refusal) }
  return {
    // The beginning, then the whole; one of another body may still be in the state while the effects of a change have not run.
    body: whole && whole.source.key === begun.source.key ? whole : (failed ?? begun),
    /** Bytes received of a load that runs; null when none does. */
    received,
    failure: failure && refusalText(failure),
    load: () => void load(),
    cancel: () => {
      running.current?.abort()
      setReceived(null)
    },
  }
}
export type Whole = ReturnType<typeof useWhole>

/** The beginning of a body, opened for as long as it is shown; null until it is there. */
export function useOpenBody(source: BodySource): OpenBody | FailedBody | null {
  const [begun, setBegun] = useState<OpenBody | FailedBody | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source
  useEffect(() => {
    let current = true
    let opened: OpenBody | FailedBody | undefined
    void openBody(source).then((body) => {
      opened = body
      if (current) setBegun(body)
      else closeBody(body)
    })
    return () => {
      current = false
      closeBody(opened)
    }
  }, [source.key])
  return begun?.source.key === source.key ? begun : null
}
