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
