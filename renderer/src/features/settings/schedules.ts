import { create } from 'zustand'
import type { ScheduleState } from '#contract/schedule.ts'
import { api, host } from '@/shared/live/api.ts'

interface SchedulesStore {
  /** In the order of the connections; null until the host has told them. */
  readonly schedules: readonly ScheduleState[] | null
  /** The latest run with missing deliveries that the user has neither opened nor dismissed. */
  readonly told: ScheduleState | null
  refresh(): Promise<void>
  receive(schedules: readonly ScheduleState[]): void
  tell(state: ScheduleState | null): void
}

export const useSchedules = create<SchedulesStore>()((set) => ({
  schedules: null,
  told: null,
  refresh: async () => {
    try {
      set({ schedules: (await api.call('schedules.list', {})).schedules })
    } catch {
      // A lost connection has a banner of its own; the next push or reconnection tells.
    }
  },
  receive: (schedules) => set({ schedules }),
  tell: (told) => set({ told }),
}))

/** Whether a run found something the user should look at, and its schedule asks for a notice. */
export const isTold = ({ schedule, last }: ScheduleState): boolean =>
  schedule.notify && last !== null && last.fresh > 0

/**
 * Keeps the schedules true to the host until the returned function is called.
 * @param onMissed a run has missed something
 */
export function watchSchedules(onMissed: (state: ScheduleState) => void): () => void {
  const { refresh, receive, tell } = useSchedules.getState()
  void refresh()
  let lost = false
  const pushes = host().onPush(({ push, payload }) => {
    if (push === 'schedules.changed') receive(payload.schedules)
    else if (push === 'schedules.finished' && isTold(payload)) {
      tell(payload)
      onMissed(payload)
    }
  })
  const connections = host().onConnection((state) => {
    if (state === 'open' && lost) void refresh()
    lost = state === 'lost'
  })
  return () => {
    pushes()
    connections()
  }
}
