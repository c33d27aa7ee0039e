import type { CapturedRequests, Ledger } from '#core/replay/ports.ts'

/** Absolute paths, as `storeFiles` gives them. */
export interface CapturedPaths {
  readonly captured: string
  readonly derived: string
}

/** For whoever asks by filter: what a sweep missed is written down elsewhere. */
export interface FilteredPaths extends CapturedPaths {
  readonly sweeps: string
}

export interface LedgerOptions {
  readonly paths: FilteredPaths & { readonly replays: string }
  /** Takes a sentence for the person: replays.db was set aside. */
  readonly warn: (message: string) => void
  /** Milliseconds since the epoch; names what is set aside. */
  readonly now?: () => number
}

/**
 * What reads captured.db and derived.db. Both may be replaced while Acuse runs (an incident, a newer analysis): who uses them looks
 * for that by itself, but a file that is about to be renamed has to be let go of first, or Windows refuses.
 */
interface ReadsCaptured {
  /** Until `reopenCaptured` whatever needs them throws AcuseError `store-failed`. */
  releaseCaptured(): void
  /** Opens them anew, at other paths where those are given. Until then they are opened by the first call that needs them. */
  reopenCaptured(paths?: CapturedPaths): void
}

export interface LedgerOnDisk extends Ledger, ReadsCaptured {
  /** Puts what waits in the log into replays.db, where others read it. Cheap when nothing waits. */
  settle(): void
}

export interface CapturedRequestsOnDisk extends CapturedRequests, ReadsCaptured {
  close(): void
}
