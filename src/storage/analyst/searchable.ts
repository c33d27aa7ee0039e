import type { Masking } from '#core/masking.ts'

/** Together with what analysis chose (at most 16 KiB), so that one delivery cannot swell the index. */
const MOST = 24 * 1024

/**
 * What the text index holds of a delivery: chosen values of the body, the request target, header values. Credentials are never in it.
 */
export function searchable(
  searchText: string,
  url: string,
  headers: readonly string[],
  masking: Masking,
): string {
  const values: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const { value, masked } = masking.header({ name: headers[i] ?? '', value: headers[i + 1] ?? '' })
    if (!masked) values.push(value)
  }
  return `${searchText}\n${masking.target(url)}\n${values.join('\n')}`.slice(0, MOST)
}
