import { create } from 'zustand'
import type { Result } from '#contract/commands.ts'
import type { HostStatus } from '#contract/status.ts'
import type { ConnectionState } from '@/shared/platform/types.ts'

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

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The status with every part that did not change as it was: twenty come a second, and most of what shows them need not be drawn. */
function shared<Status extends object>(was: Status | null, now: Status): Status {
  if (!was) return now
  const next: { -readonly [Part in keyof Status]: Status[Part] } = { ...now }
  for (const part in now) if (same(was[part], now[part])) next[part] = was[part]
  return next
}

export const useStatus = create<StatusStore>()((set) => ({
  status: null,
  info: null,
  connection: 'open',
  retryAt: null,
  receive: (status) => set((was) => ({ status: shared(was.status, status) })),
  introduce: (info) => set({ info }),
  connected: (connection, retryAt) => set({ connection, retryAt }),
}))
