import { create } from 'zustand'
import type { Kind } from '#catalog/kinds.ts'
import { api } from '@/shared/live/api.ts'

export interface Draft {
  /** As the sandbox would send it. */
  readonly made: string
  /** What it was drawn from: the same seed emits the same data. */
  readonly seed: number
  /** As it stands in the editor. */
  readonly text: string
}

interface EmitDrafts {
  readonly kind: Kind
  readonly count: number | null
  /** By kind, so that nothing typed is lost by looking at another one. */
  readonly drafts: Readonly<Partial<Record<Kind, Draft>>>
  choose(kind: Kind): void
  setCount(count: number | null): void
  write(text: string): void
  /** Asks for other data of a kind. @throws RefusalError */
  draw(kind: Kind): Promise<void>
}

/** A seed of its own for every body: 32 bits, as the sandbox takes them. */
const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

export const useEmitDraft = create<EmitDrafts>()((set, get) => ({
  kind: 'factura.created',
  count: 1,
  drafts: {},
  choose: (kind) => set({ kind }),
  setCount: (count) => set({ count }),
  write: (text) => {
    const { kind, drafts } = get()
    const draft = drafts[kind]
    if (draft) set({ drafts: { ...drafts, [kind]: { ...draft, text } } })
  },
  draw: async (kind) => {
    const seed = newSeed()
    const { body: made } = await api.call('sandbox.preview', { kind, seed })
    set(({ drafts }) => ({ drafts: { ...drafts, [kind]: { made, seed, text: made } } }))
  },
}))
