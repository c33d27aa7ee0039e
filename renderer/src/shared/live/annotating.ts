import { create } from 'zustand'

/** What something is to be said about. */
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

/** Notes and tags as they are being written. */
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
