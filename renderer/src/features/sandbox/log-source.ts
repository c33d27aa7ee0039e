import { create } from 'zustand'
import type { SandboxLogQuery } from '#contract/sandbox.ts'
import { given } from '@/shared/forms/form.ts'
import { api } from '@/shared/live/api.ts'
import { useNewestRows } from '@/shared/live/newest-rows.ts'
import { useSandbox } from './sandbox.ts'

/** What of the log is shown; a member left out asks for nothing. */
export type LogFilter = Pick<
  SandboxLogQuery,
  'q' | 'type' | 'outcome' | 'kind' | 'subscription' | 'run' | 'lost'
>

export const useLogFilter = create<{ readonly filter: LogFilter }>()(() => ({ filter: {} }))

/** Sets members; what is empty or null is taken away. */
export function changeFilter(members: { readonly [K in keyof LogFilter]?: LogFilter[K] | '' | null }): void {
  useLogFilter.setState(({ filter }) => ({ filter: given({ ...filter, ...members }) }))
}

const PER_PAGE = 200

/** The log as a filter finds it, newest first, kept up to date as long as the state of the sandbox is. */
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
