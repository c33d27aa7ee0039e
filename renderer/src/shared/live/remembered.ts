const MOST = 50
const KEY = 'filters'

/** Reader for a stored list of texts, limited to a number of entries. */
export const firstTexts =
  (most: number) =>
  (stored: unknown): readonly string[] | undefined =>
    Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, most) : undefined

/** Recently used filters of this window, the latest first. */
export const filterHistory = (): readonly string[] => remembered(KEY, firstTexts(MOST), [])

export function keepInHistory(filter: string): void {
  if (filter === '') return
  remember(KEY, [filter, ...filterHistory().filter((one) => one !== filter)].slice(0, MOST))
}

/**
 * Reads a value from local storage: layout only, never data. Storage may be full, forbidden, or hold any value.
 * @param read validates the stored value; undefined when it is invalid
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
    // Without storage the layout is lost when the window closes.
  }
}
