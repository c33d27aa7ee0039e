import type { ConnectState, ConnectTest } from '#contract/connect.ts'
import type { Refusal } from '#contract/errors.ts'
import type { AttemptRow } from '#contract/replay.ts'
import type { ExportSource } from '#contract/transfer.ts'
import { api } from './api.ts'
import { store } from './store.ts'
import { beginAct, onAct } from './undo.ts'

export interface Annotated {
  readonly ids: readonly number[]
  /** All deliveries that a filter selects, in place of `ids`; null where `ids` applies. */
  readonly everything: { readonly filter: string; readonly total: number } | null
}
interface Annotating {
  readonly asked: (Annotated & { readonly what: 'note' | 'tags' }) | null
  /** Unsaved notes by `draftKey`, so that leaving the field does not lose them. */
  readonly drafts: Readonly<Record<string, string>>
}

export const draftKey = ({ ids, everything }: Annotated): string => everything?.filter ?? ids.join(' ')

export const useAnnotating = store<Annotating>({ asked: null, drafts: {} })((set) => ({
  ask: (what: 'note' | 'tags', about: Annotated) => {
    takeEarly()
    set({ asked: { ...about, what } })
  },
  close: () => set({ asked: null }),
  /** @param text null: saved or discarded */
  draft: (key: string, text: string | null) =>
    set(({ drafts: { [key]: _, ...others } }) => ({
      drafts: text === null ? others : { ...others, [key]: text },
    })),
}))

/** Two deliveries by id; `previous` means the delivery before the right one of the same document. */
export interface ComparedPair {
  readonly left: number | 'previous'
  readonly right: number
}

export const useCompare = store<{ readonly pair: ComparedPair | null }>({ pair: null })((set) => ({
  open: (pair: ComparedPair) => set({ pair }),
  close: () => set({ pair: null }),
}))

interface Connecting {
  readonly shown: boolean
  readonly state: ConnectState | null
}

export const useConnect = store<Connecting>({ shown: false, state: null })((set) => ({
  open: () => set({ shown: true }),
  close: () => set({ shown: false }),
  /** Reads the state from the host again; a laptop may have changed networks. */
  refresh: () => {
    api.call('connect.state', {}).then(
      (state) => set({ state }),
      // The banner of the lost connection already says so.
      () => undefined,
    )
  },
  tested: (last: ConnectTest) => set(({ state }) => ({ state: { addresses: state?.addresses ?? [], last } })),
}))

/** Name of the connection whose schedule is shown. */
export const useScheduling = store<{ readonly connection: string | null }>({ connection: null })((set) => ({
  open: (connection: string) => set({ connection }),
  close: () => set({ connection: null }),
}))

/** `text`: tab-separated, with headings. `curl-secrets`: with the values of secret headers. */
export const COPY_AS = ['text', 'json', 'ndjson', 'curl', 'curl-secrets'] as const
export type CopyAs = (typeof COPY_AS)[number]

export type Copying =
  | { readonly state: 'going'; readonly done: number; readonly of: number }
  /** `of` exceeds `count` when a limit was reached. Deliveries counted in `tooLong` are copied without their bodies. */
  | {
      readonly state: 'done'
      readonly as: CopyAs
      readonly count: number
      readonly of: number
      readonly tooLong: number
    }
  /** A single value was copied. */
  | { readonly state: 'copied'; readonly text: string }
  /** A null refusal means that the clipboard is not available. */
  | { readonly state: 'failed'; readonly refusal: Refusal | null }

interface CopyingNow {
  readonly now: Copying | null
  /** Increases with every copy and every cancel, so an outdated copy stops. */
  readonly turn: number
}

export const useCopying = store<CopyingNow>({ now: null, turn: 0 })((set, get) => ({
  /** @returns the new turn */
  begin: () => {
    beginAct()
    set((s) => ({ turn: s.turn + 1, now: null }))
    return get().turn
  },
  tell: (turn: number, now: Copying) => set((s) => (s.turn === turn ? { now } : s)),
  end: () => set((s) => ({ turn: s.turn + 1, now: null })),
}))

onAct(() => {
  if (useCopying.getState().now?.state !== 'going') useCopying.setState({ now: null })
})

export interface GivenFile {
  /** Null when the user dropped a folder. */
  readonly file: File | null
  /** Number of further dropped files, which are ignored. */
  readonly others: number
}

interface Over {
  /** The open dialog; null when there is none. */
  readonly shown: 'help' | 'guide' | 'palette' | 'file-check' | 'import' | null
  /** Null until the user selects a file; the dialog asks for one. */
  readonly given: GivenFile | null
  /** Keys pressed while the dialog's code loads. */
  readonly early: readonly string[]
  /** The guide's initial page; null for the first. */
  readonly page: string | null
  /** Whether the code of the dialog asked for last did not come. */
  readonly failed: boolean
}

/** The window's own dialogs, on any screen: one at a time. */
export const useOver = store<Over>({ shown: null, given: null, early: [], page: null, failed: false })(
  (set) => ({
    show: (shown: NonNullable<Over['shown']>, page: string | null = null) =>
      set({ shown, page, given: null, early: [] }),
    give: (given: GivenFile) => set({ shown: 'file-check', given }),
    close: () => set({ shown: null, given: null }),
  }),
)

/** @returns the keys pressed while the dialog's code loaded, once */
export function takeEarly(): readonly string[] {
  const { early } = useOver.getState()
  if (early.length > 0) useOver.setState({ early: [] })
  return early
}

/** The printable ones of those keys, for a field. */
export const earlyText = (): string =>
  takeEarly()
    .filter((key) => key.length === 1)
    .join('')

/** What the sheet offers for sending, as it was when the user opened it. */
export interface SheetSource {
  readonly delivery: number | null
  readonly documentId: string | null
  readonly ids: readonly number[]
  readonly everything: boolean
  /** Filter and total of the list; null on screens without a list. */
  readonly filter: { readonly text: string; readonly total: number } | null
  /** Number of times to send the single delivery; defaults to once. */
  readonly times?: number
}

/** Result of a replay that the user started with a single key. */
export type Notice =
  | { readonly what: 'sending'; readonly target: string }
  | { readonly what: 'answered'; readonly attempt: AttemptRow }
  /** The replays store has the job's progress. */
  | { readonly what: 'job'; readonly job: number }
  | { readonly what: 'refused'; readonly refusal: Refusal }
  | { readonly what: 'nothing' }

interface Sheet {
  readonly source: SheetSource | null
  readonly notice: Notice | null
  /** Attempt that the details open next; they reset this field. */
  readonly wanted: { readonly delivery: number; readonly attempt: number } | null
  /** Last typed URL that a delivery was sent to; offered again while the window lives, never stored on disk. */
  readonly lastUrl: string | null
}

const NOTHING: SheetSource = { delivery: null, documentId: null, ids: [], everything: false, filter: null }

const CLOSED: Sheet = { source: null, notice: null, wanted: null, lastUrl: null }

export const useReplaySheet = store(CLOSED)((set) => ({
  open: (source: Partial<SheetSource>) => set({ source: { ...NOTHING, ...source }, notice: null }),
  close: () => set({ source: null }),
  tell: (notice: Notice | null) => set({ notice }),
  want: (wanted: Sheet['wanted']) => set({ wanted }),
}))

export type Deleting =
  | { readonly type: 'ids'; readonly ids: readonly number[]; readonly pinned: number }
  /** All deliveries that a filter selects, up to the id `upTo`. */
  | {
      readonly type: 'filter'
      readonly filter: string
      readonly count: number
      readonly pinned: number
      readonly upTo: number
    }

interface Trashing {
  /** Deletion that awaits the user's confirmation; null when there is none. */
  readonly asked: Deleting | null
  readonly refusal: Refusal | null
}

export const useTrashing = store<Trashing>({ asked: null, refusal: null })((set) => ({
  ask: (asked: Deleting, refusal: Refusal | null = null) => set({ asked, refusal }),
  close: () => set({ asked: null, refusal: null }),
}))

/** What to export. `list`: the selection or the filter; `row`: the delivery at the cursor, or the selection. */
export type Exported = 'list' | 'row' | ExportSource

export const useExporting = store<{ readonly of: Exported | null }>({ of: null })((set) => ({
  open: (of: Exported) => set({ of }),
  close: () => set({ of: null }),
}))

/** Whether the user asked for a dialog. It shows once its code, and for a note its text, have loaded; that of a schedule never shows when its connection is gone. */
export const isDialogAsked = (): boolean =>
  [
    useOver.getState().shown,
    useAnnotating.getState().asked,
    useCompare.getState().pair,
    useConnect.getState().shown || null,
    useReplaySheet.getState().source,
    useTrashing.getState().asked,
    useExporting.getState().of,
  ].some((asked) => asked !== null)

/** The code of a dialog does not come: the window goes on without it, and says so. */
export function giveUpDialogs(): void {
  for (const dialog of [useAnnotating, useCompare, useConnect, useTrashing, useExporting, useScheduling])
    dialog.getState().close()
  useReplaySheet.setState({ source: null, notice: null })
  useOver.setState({ shown: null, given: null, early: [], failed: true })
}
