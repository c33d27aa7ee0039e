import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { Secrets, SettingsStore } from '#core/ports.ts'

export function memorySettings(present: Settings = DEFAULT_SETTINGS): SettingsStore {
  return {
    get: () => present,
    change: async (change) => {
      present = change(present)
      return present
    },
  }
}

export function memorySecrets() {
  const values = new Map<string, string>()
  const secrets: Secrets = {
    get: async (key) => values.get(key),
    set: async (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
  }
  return { values, secrets }
}
