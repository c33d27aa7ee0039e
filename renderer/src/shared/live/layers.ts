import type { ConnectState, ConnectTest } from '#contract/connect.ts'
import type { Refusal } from '#contract/errors.ts'
import type { AttemptRow } from '#contract/replay.ts'
import { beginAct, onAct } from './acts.ts'
import { api } from './api.ts'
import { store } from './store.ts'

export interface Annotated {
  readonly ids: readonly number[]
  /** All that a filter shows, in place of `ids`; null where single ones are meant. */
  readonly everything: { readonly filter: string; readonly total: number } | null
}
interface Annotating {
  readonly asked: (Annotated & { readonly what: 'note' | 'tags' }) | null
  /** Notes that were begun and not saved, by `draftKey`: leaving the field must not lose them. */
  readonly drafts: Readonly<Record<string, string>>
}

export const draftKey = ({ ids, everything }: Annotated): string => everything?.filter ?? ids.join(' ')

export const useAnnotating = store<Annotating>({ asked: null, drafts: {} })((set) => ({
  ask: (what: 'note' | 'tags', about: Annotated) => set({ asked: { ...about, what } }),
  close: () => set({ asked: null }),
  /** @param text null: saved, or given up */
  draft: (key: string, text: string | null) =>
    set(({ drafts: { [key]: _, ...others } }) => ({
      drafts: text === null ? others : { ...others, [key]: text },
    })),
}))

/** Two deliveries by id; `previous` is the one before the right one among those of its document. */
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
  /** Asks the host; a laptop may be in another network by now. */
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
  /** `of` is more than `count` where a bound was met. Of those that are `tooLong` the body is left out. */
  | {
      readonly state: 'done'
      readonly as: CopyAs
      readonly count: number
      readonly of: number
      readonly tooLong: number
    }
  /** One value. */
  | { readonly state: 'copied'; readonly text: string }
  /** Null: the clipboard is not to be had. */
  | { readonly state: 'failed'; readonly refusal: Refusal | null }

interface CopyingNow {
  readonly now: Copying | null
  /** Rises with every copy, and when one is given up: what is not the latest stops. */
  readonly turn: number
}

export const useCopying = store<CopyingNow>({ now: null, turn: 0 })((set, get) => ({
  /** @returns the turn */
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
  /** Null when it was no file but a folder. */
  readonly file: File | null
  /** Others that came with it and are not looked at. */
  readonly others: number
}

interface Over {
  /** What stands over the screen; null for nothing. */
  readonly shown: 'help' | 'guide' | 'palette' | 'file-check' | null
  /** Null while none was given: the person is asked for one. */
  readonly given: GivenFile | null
  /** Keys pressed for what is shown while its code is on its way. */
  readonly early: readonly string[]
  /** The page of the guide that it opens on; null: its first. */
  readonly page: string | null
}

/** The window's own dialogs, over whatever screen there is: one at a time. */
export const useOver = store<Over>({ shown: null, given: null, early: [], page: null })((set) => ({
  show: (shown: NonNullable<Over['shown']>, page: string | null = null) =>
    set({ shown, page, given: null, early: [] }),
  give: (given: GivenFile) => set({ shown: 'file-check', given }),
  close: () => set({ shown: null, given: null }),
}))

/** What the sheet could send: whatever of these there was when it was opened. */
export interface SheetSource {
  readonly delivery: number | null
  readonly documentId: string | null
  readonly ids: readonly number[]
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

interface Sheet {
  readonly source: SheetSource | null
  readonly notice: Notice | null
  /** The attempt that the details are to open next; they take it away. */
  readonly wanted: { readonly delivery: number; readonly attempt: number } | null
  /** The URL typed last that was sent to; it is offered again as long as the window lives, and written nowhere. */
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
  /** All that a filter shows, none newer than `upTo`. */
  | {
      readonly type: 'filter'
      readonly filter: string
      readonly count: number
      readonly pinned: number
      readonly upTo: number
    }

interface Trashing {
  /** What the person is asked about; null while nothing is. */
  readonly asked: Deleting | null
  readonly refusal: Refusal | null
}

export const useTrashing = store<Trashing>({ asked: null, refusal: null })((set) => ({
  ask: (asked: Deleting, refusal: Refusal | null = null) => set({ asked, refusal }),
  close: () => set({ asked: null, refusal: null }),
}))
