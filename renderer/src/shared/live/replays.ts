import type { Refusal } from '#contract/errors.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { ForwardState, Job } from '#contract/replay.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { api } from './api.ts'
import { store } from './store.ts'

/** Merges changed items into the known ones, newest first. */
export function renewed<T extends { readonly id: number }>(
  known: readonly T[],
  fresh: readonly T[],
  removed: readonly number[] = [],
): readonly T[] {
  const byId = new Map([...known, ...fresh].map((one) => [one.id, one]))
  for (const id of removed) byId.delete(id)
  return [...byId.values()].sort((a, b) => b.id - a.id)
}

type Changed = Pushes['replays.changed']

interface Known {
  /** Newest first; null until the first read, which starts the sending thread. */
  readonly jobs: readonly Job[] | null
  readonly forwards: readonly ForwardState[] | null
  readonly refusal: Refusal | null
  /** The latest change; `changed` is null when anything may have changed, as after missed pushes. `beat` increases with each change. */
  readonly last: { readonly beat: number; readonly changed: Changed | null }
}

const NOTHING: Known = { jobs: null, forwards: null, refusal: null, last: { beat: 0, changed: null } }

export const useReplays = store(NOTHING)((set, get) => {
  const refresh = async () => {
    try {
      const [{ jobs }, { forwards }] = await Promise.all([
        api.call('jobs.list', {}),
        api.call('forwards.list', {}),
      ])
      set({ jobs, forwards, refusal: null })
    } catch (error) {
      set({ refusal: refusalOf(error) })
    }
  }
  return {
    refresh,
    receive: (changed: Changed) =>
      set((now) => ({
        jobs: now.jobs && renewed(now.jobs, changed.jobs),
        forwards: now.forwards && (changed.forwards ?? now.forwards),
        last: { beat: now.last.beat + 1, changed },
      })),
    /** Reads the known items again after missed pushes. */
    missed: () => {
      set((now) => ({ last: { beat: now.last.beat + 1, changed: null } }))
      if (get().jobs) void refresh()
    },
    putJob: (job: Job) => set((now) => ({ jobs: renewed(now.jobs ?? [], [job]) })),
    dropJob: (id: number) => set((now) => ({ jobs: now.jobs?.filter((job) => job.id !== id) ?? null })),
    putForwards: (forwards: readonly ForwardState[]) => set({ forwards }),
  }
})
