import { create } from 'zustand'
import type { ConnectState, ConnectTest } from '#contract/connect.ts'
import { api } from './api.ts'

interface ConnectStore {
  /** The panel is shown. */
  readonly shown: boolean
  /** Null until the host has told. */
  readonly state: ConnectState | null
  open(): void
  close(): void
  /** Asks the host; a laptop may be in another network by now. */
  refresh(): void
  tested(test: ConnectTest): void
}

/** How the service reaches the receiver, over whatever screen there is. */
export const useConnect = create<ConnectStore>()((set) => ({
  shown: false,
  state: null,
  open: () => set({ shown: true }),
  close: () => set({ shown: false }),
  refresh: () => {
    api.call('connect.state', {}).then(
      (state) => set({ state }),
      // The banner of the lost connection already says so.
      () => undefined,
    )
  },
  tested: (last) => set(({ state }) => ({ state: { addresses: state?.addresses ?? [], last } })),
}))
