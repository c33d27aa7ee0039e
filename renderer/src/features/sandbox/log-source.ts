import { create } from 'zustand'
import type { SandboxLogQuery } from '#contract/sandbox.ts'
import { given } from '@/shared/forms/form.ts'
import { api } from '@/shared/live/api.ts'
import { useNewestRows } from '@/shared/live/newest-rows.ts'
import { useSandbox } from './sandbox.ts'

/** Filter of the log; an absent member does not filter. */
export type LogFilter = Pick<
  SandboxLogQuery,
  'q' | 'type' | 'outcome' | 'kind' | 'subscription' | 'run' | 'lost'
>

export const useLogFilter = create<{ readonly filter: LogFilter }>()(() => ({ filter: {} }))

/** Sets members; an empty or null value removes one. */
export function changeFilter(members: { readonly [K in keyof LogFilter]?: LogFilter[K] | '' | null }): void {
  useLogFilter.setState(({ filter }) => ({ filter: given({ ...filter, ...members }) }))
}

const PER_PAGE = 200

/** Matching log entries, newest first, updated with the sandbox's state. */
export function useLog(filter: LogFilter) {
  const read = async (place: Pick<SandboxLogQuery, 'after'>) => {
    const query = { ...filter, ...place, order: 'newest', limit: PER_PAGE } as const
    const { entries: rows, ...page } = await api.call('sandbox.log', query)
    return { rows, ...page }
  }
  const { page, refusal, more } = useNewestRows(
    JSON.stringify(filter),
    () => read({}),
    (after) => read({ after }),
    useSandbox((s) => s.state),
  )
  const { rows, total, pending } = page ?? { rows: [], total: 0, pending: 0 }
  return { rows, total, pending, loading: page === null && refusal === null, refusal, more }
}
export type LogView = ReturnType<typeof useLog>
