import { create } from 'zustand'
import type { OperationDraft } from './operation-draft.ts'

interface OperationDrafts {
  readonly name: string
  /** By operation, so that nothing typed is lost by looking at another one. */
  readonly drafts: Readonly<Record<string, OperationDraft>>
  /** What the last operation was about. */
  readonly lastId: string | null
  choose(name: string): void
  write(name: string, parameter: string, text: string): void
  about(id: string): void
}

export const useOperationDrafts = create<OperationDrafts>()((set) => ({
  name: 'create-invoice',
  drafts: {},
  lastId: null,
  choose: (name) => set({ name }),
  write: (name, parameter, text) =>
    set(({ drafts }) => ({ drafts: { ...drafts, [name]: { ...drafts[name], [parameter]: text } } })),
  about: (id) => set({ lastId: id }),
}))
