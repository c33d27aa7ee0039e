import { create } from 'zustand'

interface GoingStore {
  /** The field that asks for a time stands over the list. */
  readonly asked: boolean
  ask(asked: boolean): void
}

/** Whether a time to go to is being asked for. */
export const useGoing = create<GoingStore>()((set) => ({
  asked: false,
  ask: (asked) => set({ asked }),
}))
