const MOST = 50
const KEY = 'filters'

/** Reads so many texts at most. */
export const firstTexts =
  (most: number) =>
  (stored: unknown): readonly string[] | undefined =>
    Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, most) : undefined

/** Filters used last in this window, the latest first. */
export const filterHistory = (): readonly string[] => remembered(KEY, firstTexts(MOST), [])

export function keepInHistory(filter: string): void {
  if (filter === '') return
  remember(KEY, [filter, ...filterHistory().filter((one) => one !== filter)].slice(0, MOST))
}

/**
 * What this window remembers for itself: layout, never data. Storage may be full, forbidden, or hold anything at all.
 * @param read turns whatever was stored into a value; undefined when it makes no sense
 */
export function remembered<T>(key: string, read: (stored: unknown) => T | undefined, fallback: T): T {
  try {
    const text = localStorage.getItem(`acuse.${key}`)
    if (text === null) return fallback
    return read(JSON.parse(text)) ?? fallback
  } catch {
    return fallback
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`acuse.${key}`, JSON.stringify(value))
  } catch {
    // Without storage the layout lasts as long as the window.
  }
}
