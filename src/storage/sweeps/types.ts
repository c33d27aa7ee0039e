import type { SweepStore } from '#core/reconcile/ports.ts'
import type { CapturedPaths } from '../replays/types.ts'

export interface SweepPaths extends CapturedPaths {
  readonly sweeps: string
  /** Whether rebuilt events have been sent is read from here; it need not be there. */
  readonly replays: string
}

export interface SweepStoreOptions {
  readonly paths: SweepPaths
  /** Takes a sentence for the person: sweeps.db was set aside. */
  readonly warn: (message: string) => void
  /** Milliseconds since the epoch; names what is set aside. */
  readonly now?: () => number
}

export interface SweepStoreOnDisk extends SweepStore {
  /** Lets go of captured.db, derived.db and replays.db; until `reopenCaptured` whatever needs them throws AcuseError `store-failed`. */
  releaseCaptured(): void
  /** Opens them anew, at other paths where those are given. Until then they are opened by the first call that needs them. */
  reopenCaptured(paths?: Omit<SweepPaths, 'sweeps'>): void
}

export type SqlRow = Readonly<Record<string, unknown>>

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
