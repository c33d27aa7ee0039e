import { create } from 'zustand'
import type { Result } from '#contract/commands.ts'
import { api } from '@/shared/live/api.ts'
import { without } from '@/shared/live/filter-edit.ts'
import { atReset } from '@/shared/live/status.ts'
import { list } from './list.ts'

export type Summary = Result<'deliveries.summary'>

/** Counts by verdict for the filter without its verdict condition, so that the chips show the alternatives. */
export const useSummary = create<{ readonly summary: Summary | null }>()(() => ({ summary: null }))

/** Exact counts are expensive for a large store: at most one request per second. */
const PAUSE_MS = 1_000

export function followSummary(): void {
  let wanted: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = 0
  let asked = 0
  let shown = 0
  const ask = async () => {
    const filter = wanted ?? ''
    clearTimeout(timer)
    timer = undefined
    asking += 1
    asked += 1
    const turn = asked
    // The list shows the refusal; the chips keep their last counts.
    const summary = await api.call('deliveries.summary', { filter }).catch(() => null)
    asking -= 1
    // A request sent before a deletion may be answered after it.
    if (!summary || filter !== wanted || turn < shown) return
    shown = turn
    useSummary.setState({ summary })
  }
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (asking > 0) later()
      else void ask()
    }, PAUSE_MS)
  }
  atReset(() => {
    if (wanted !== undefined) void ask()
  })
  list.subscribe(() => {
    const { filter, loading } = list.state()
    if (loading === 'first') return
    const next = without(filter, 'verdict')
    if (next === wanted) return later()
    wanted = next
    void ask()
  })
}
