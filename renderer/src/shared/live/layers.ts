import { create } from 'zustand'
import type { ConnectState, ConnectTest } from '#contract/connect.ts'
import type { Refusal } from '#contract/errors.ts'
import type { AttemptRow } from '#contract/replay.ts'
import { beginAct, onAct } from './acts.ts'
import { api } from './api.ts'

export interface Annotated {
  readonly ids: readonly number[]
  /** All that a filter shows, in place of `ids`; null where single ones are meant. */
  readonly everything: { readonly filter: string; readonly total: number } | null
}
interface AnnotatingStore {
  readonly asked: (Annotated & { readonly what: 'note' | 'tags' }) | null
  /** Notes that were begun and not saved, by `draftKey`: leaving the field must not lose them. */
  readonly drafts: Readonly<Record<string, string>>
  ask(what: 'note' | 'tags', about: Annotated): void
  close(): void
  /** @param text null: saved, or given up */
  draft(key: string, text: string | null): void
}

export const draftKey = ({ ids, everything }: Annotated): string => everything?.filter ?? ids.join(' ')

export const useAnnotating = create<AnnotatingStore>()((set) => ({
  asked: null,
  drafts: {},
  ask: (what, about) => set({ asked: { ...about, what } }),
  close: () => set({ asked: null }),
  draft: (key, text) =>
    set(({ drafts: { [key]: _, ...others } }) => ({
      drafts: text === null ? others : { ...others, [key]: text },
    })),
}))

/** Two deliveries by id; `previous` is the one before the right one among those of its document. */
export interface ComparedPair {
  readonly left: number | 'previous'
  readonly right: number
}

interface CompareStore {
  readonly pair: ComparedPair | null
  open(pair: ComparedPair): void
  close(): void
}

export const useCompare = create<CompareStore>()((set) => ({
  pair: null,
  open: (pair) => set({ pair }),
  close: () => set({ pair: null }),
}))

interface ConnectStore {
  readonly shown: boolean
  readonly state: ConnectState | null
  open(): void
  close(): void
  /** Asks the host; a laptop may be in another network by now. */
  refresh(): void
  tested(test: ConnectTest): void
}

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

interface SchedulingStore {
  /** Name of the connection whose schedule is shown. */
  readonly connection: string | null
  open(connection: string): void
  close(): void
}

export const useScheduling = create<SchedulingStore>()((set) => ({
  connection: null,
  open: (connection) => set({ connection }),
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
  /** Null: the clipboard is not to be had. */
  | { readonly state: 'failed'; readonly refusal: Refusal | null }

interface CopyingStore {
  readonly now: Copying | null
  /** Rises with every copy, and when one is given up: what is not the latest stops. */
  readonly turn: number
  /** @returns the turn */
  begin(): number
  tell(turn: number, now: Copying): void
  end(): void
}

export const useCopying = create<CopyingStore>()((set, get) => ({
  now: null,
  turn: 0,
  begin: () => {
    beginAct()
    set((s) => ({ turn: s.turn + 1, now: null }))
    return get().turn
  },
  tell: (turn, now) => set((s) => (s.turn === turn ? { now } : s)),
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

interface OverStore {
  /** What stands over the screen; null for nothing. */
  readonly shown: 'help' | 'guide' | 'palette' | 'file-check' | null
  /** Null while none was given: the person is asked for one. */
  readonly given: GivenFile | null
  /** Keys pressed for what is shown while its code is on its way. */
  readonly early: readonly string[]
  /** The page of the guide that it opens on; null: its first. */
  readonly page: string | null
  show(what: NonNullable<OverStore['shown']>, page?: string): void
  give(given: GivenFile): void
  close(): void
}

/** The window's own dialogs, over whatever screen there is: one at a time. */
export const useOver = create<OverStore>()((set) => ({
  shown: null,
  given: null,
  early: [],
  page: null,
  show: (shown, page) => set({ shown, page: page ?? null, given: null, early: [] }),
  give: (given) => set({ shown: 'file-check', given }),
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

interface SheetStore {
  readonly source: SheetSource | null
  readonly notice: Notice | null
  /** The attempt that the details are to open next; they take it away. */
  readonly wanted: { readonly delivery: number; readonly attempt: number } | null
  /** The URL typed last that was sent to; it is offered again as long as the window lives, and written nowhere. */
  readonly lastUrl: string | null
  open(source: Partial<SheetSource>): void
  close(): void
  tell(notice: Notice | null): void
  want(wanted: SheetStore['wanted']): void
}

const NOTHING: SheetSource = { delivery: null, documentId: null, ids: [], everything: false, filter: null }

export const useReplaySheet = create<SheetStore>()((set) => ({
  source: null,
  notice: null,
  wanted: null,
  lastUrl: null,
  open: (source) => set({ source: { ...NOTHING, ...source }, notice: null }),
  close: () => set({ source: null }),
  tell: (notice) => set({ notice }),
  want: (wanted) => set({ wanted }),
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

interface TrashingStore {
  /** What the person is asked about; null while nothing is. */
  readonly asked: Deleting | null
  readonly refusal: Refusal | null
  ask(asked: Deleting, refusal?: Refusal): void
  close(): void
}

export const useTrashing = create<TrashingStore>()((set) => ({
  asked: null,
  refusal: null,
  ask: (asked, refusal) => set({ asked, refusal: refusal ?? null }),
  close: () => set({ asked: null, refusal: null }),
}))
