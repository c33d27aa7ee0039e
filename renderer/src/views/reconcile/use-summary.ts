import { useEffect, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { ReconciliationSummary } from '#contract/reconcile.ts'
import { api } from '@/live/api.ts'
import { refusalOf } from '@/platform/refusal-error.ts'

export interface SummaryState {
  readonly summary: ReconciliationSummary | null
  readonly refusal: Refusal | null
}

/**
 * A sweep compared with what is captured; null while that is being asked for the first time.
 * @param sweep null: there is nothing to compare yet
 * @param beat rises when it has to be compared again
 */
export function useSummary(sweep: number | null, beat: number): SummaryState {
  const [state, setState] = useState<SummaryState & { readonly of: number | null }>({
    of: null,
    summary: null,
    refusal: null,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the beat asks again
  useEffect(() => {
    if (sweep === null) return
    let current = true
    api
      .call('reconciliation.summary', { sweep })
      .then((summary) => current && setState({ of: sweep, summary, refusal: null }))
      .catch((error: unknown) => {
        if (current) setState((now) => ({ ...now, of: sweep, refusal: refusalOf(error) }))
      })
    return () => {
      current = false
    }
  }, [sweep, beat])
  return state.of === sweep ? state : { summary: null, refusal: null }
}
