import type { Header } from './delivery.ts'

export function* pairsOf(flat: readonly string[]): Generator<readonly [name: string, value: string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] ?? '', flat[i + 1] ?? '']
}

/** Rows for a table of headers, with nothing masked. */
export const headerRows = (flat: readonly string[]): Header[] =>
  Array.from(pairsOf(flat), ([name, value]) => ({ name, value, masked: false }))

/** Text to show for a header; a masked `value` is already a description, never the secret. */
export const shownValue = ({ value, masked }: Pick<Header, 'value' | 'masked'>): string =>
  masked ? `<masked: ${value}>` : value

/** First value of a header, ignoring case; null when missing. */
export function headerOf(flat: readonly string[], name: string): string | null {
  const wanted = name.toLowerCase()
  // Without `pairsOf`, as the analysis of each delivery looks up several headers.
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const one = flat[i] ?? ''
    if (one.length === wanted.length && one.toLowerCase() === wanted) return flat[i + 1] ?? ''
  }
  return null
}
