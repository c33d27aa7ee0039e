import { useEffect, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { ReconciliationSummary } from '#contract/reconcile.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

export interface SummaryState {
  readonly summary: ReconciliationSummary | null
  readonly refusal: Refusal | null
  /** Milliseconds since the epoch until which it holds; 0: none yet. */
  readonly asOf: number
  /** What asking took, milliseconds. */
  readonly tookMs: number
}
const NOTHING: SummaryState = { summary: null, refusal: null, asOf: 0, tookMs: 0 }

/**
 * A sweep compared with what is captured; null while that is being asked for the first time.
 * @param sweep null: there is nothing to compare yet
 * @param beat another one when it has to be compared again
 */
export function useSummary(
  sweep: number | null,
  beat: string,
): SummaryState & { readonly renewing: boolean } {
  const [state, setState] = useState<SummaryState & { readonly of: number | null; readonly beat: string }>({
    ...NOTHING,
    of: null,
    beat: '',
  })
  useEffect(() => {
    if (sweep === null) return
    let current = true
    const asOf = Date.now()
    const began = performance.now()
    const done = { of: sweep, beat }
    api
      .call('reconciliation.summary', { sweep })
      .then((summary) => {
        const tookMs = performance.now() - began
        if (current) setState({ ...done, summary, refusal: null, asOf, tookMs })
      })
      .catch((error: unknown) => {
        if (current) setState((now) => ({ ...now, ...done, refusal: refusalOf(error) }))
      })
    return () => {
      current = false
    }
  }, [sweep, beat])
  if (state.of !== sweep) return { ...NOTHING, renewing: sweep !== null }
  return { ...state, renewing: state.beat !== beat }
}
