import { create } from 'zustand'
import type { Params } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { api } from './api.ts'

interface SettingsStore {
  readonly settings: Settings | null
  /** Takes what the host sent, as a result or as a push. */
  receive(settings: Settings): void
  /** Changes what is named and keeps the host's answer. @throws RefusalError */
  update(change: Params<'settings.update'>): Promise<void>
}

export const useSettings = create<SettingsStore>()((set) => ({
  settings: null,
  receive: (settings) => set({ settings }),
  update: async (change) => set({ settings: await api.call('settings.update', change) }),
}))
