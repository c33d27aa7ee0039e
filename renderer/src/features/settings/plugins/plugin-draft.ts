import { create } from 'zustand'
import type { PluginEventType } from '#catalog/service.ts'

interface PluginDraft {
  /** Name of a connection; null: the first with a token. */
  readonly connection: string | null
  readonly eventType: PluginEventType
  /** Data as it stands in the editor, by event, so that nothing typed is lost by looking at another one. */
  readonly texts: Readonly<Partial<Record<PluginEventType, string>>>
  choose(connection: string): void
  turnTo(eventType: PluginEventType): void
  write(eventType: PluginEventType, text: string): void
}

/** What is being written; it outlives a look at another screen. */
export const usePluginDraft = create<PluginDraft>()((set) => ({
  connection: null,
  eventType: 'cobro.registrado',
  texts: {},
  choose: (connection) => set({ connection }),
  turnTo: (eventType) => set({ eventType }),
  write: (eventType, text) => set(({ texts }) => ({ texts: { ...texts, [eventType]: text } })),
}))
