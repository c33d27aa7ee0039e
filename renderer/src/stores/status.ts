import { create } from 'zustand'
import type { Result } from '#contract/commands.ts'
import type { HostStatus } from '#contract/status.ts'
import type { ConnectionState } from '@/platform/types.ts'

interface StatusStore {
  /** Null until the host has told it. */
  readonly status: HostStatus | null
  /** Version, data folder and capabilities of the host. */
  readonly info: Result<'app.info'> | null
  readonly connection: ConnectionState
  /** When a lost connection is tried again, milliseconds since the epoch. */
  readonly retryAt: number | null
  receive(status: HostStatus): void
  introduce(info: Result<'app.info'>): void
  connected(connection: ConnectionState, retryAt: number | null): void
}

export const useStatus = create<StatusStore>()((set) => ({
  status: null,
  info: null,
  connection: 'open',
  retryAt: null,
  receive: (status) => set({ status }),
  introduce: (info) => set({ info }),
  connected: (connection, retryAt) => set({ connection, retryAt }),
}))
