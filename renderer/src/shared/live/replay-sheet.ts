import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'
import type { AttemptRow } from '#contract/replay.ts'

/** What the sheet could send: whatever of these there was when it was opened. */
export interface SheetSource {
  /** The one delivery that is pointed at. */
  readonly delivery: number | null
  /** Its document, if it names one. */
  readonly documentId: string | null
  /** Deliveries chosen together; empty for none. */
  readonly ids: readonly number[]
  /** All that the filter shows is chosen. */
  readonly everything: boolean
  /** The filter of the list and how many it shows; null where there is no list. */
  readonly filter: { readonly text: string; readonly total: number } | null
  /** How often the one delivery is to be sent; once when it is left out. */
  readonly times?: number
}

/** The result of a replay that began with one key. */
export type Notice =
  | { readonly what: 'sending'; readonly target: string }
  | { readonly what: 'answered'; readonly attempt: AttemptRow }
  /** Its progress is that of the job in the replays store. */
  | { readonly what: 'job'; readonly job: number }
  | { readonly what: 'refused'; readonly refusal: Refusal }
  | { readonly what: 'nothing' }

interface SheetStore {
  /** Null while the sheet is closed. */
  readonly source: SheetSource | null
  readonly notice: Notice | null
  /** The attempt that the details are to open next; they take it away. */
  readonly wanted: { readonly delivery: number; readonly attempt: number } | null
  /** The URL typed last that was sent to; it is offered again as long as the window lives, and written nowhere. */
  readonly lastUrl: string | null
  open(source: SheetSource): void
  close(): void
  tell(notice: Notice | null): void
  want(wanted: SheetStore['wanted']): void
}

export const useReplaySheet = create<SheetStore>()((set) => ({
  source: null,
  notice: null,
  wanted: null,
  lastUrl: null,
  open: (source) => set({ source, notice: null }),
  close: () => set({ source: null }),
  tell: (notice) => set({ notice }),
  want: (wanted) => set({ wanted }),
}))
