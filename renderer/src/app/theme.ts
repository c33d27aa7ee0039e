import type { Settings } from '#contract/settings.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'

type Appearance = Settings['appearance']
const KEY = 'appearance'
const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

function readAppearance(stored: unknown): Appearance | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { theme, language } = stored as Partial<Record<keyof Appearance, unknown>>
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language: language === 'en' || language === 'es' ? language : 'system',
  }
}

/** The appearance of last time: the host's answer would come after the first draw, as a flash of another theme. */
export const lastAppearance = (): Appearance =>
  remembered(KEY, readAppearance, { theme: 'system', language: 'system' })

export function applyTheme(theme: Appearance['theme']): void {
  const resolved = theme === 'system' ? (dark().matches ? 'dark' : 'light') : theme
  document.documentElement.dataset.theme = resolved
}

export function rememberAppearance(appearance: Appearance): void {
  remember(KEY, appearance)
}

/** @returns a function that stops telling when the system changes its mind */
export function onSystemTheme(listener: () => void): () => void {
  const query = dark()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
