/** Header values that nobody should find, or be seen to search for. */
const PRIVATE = /auth|cookie|key|secret|token|signature|password/i
/** Together with what analysis chose (at most 16 KiB), so that one delivery cannot swell the index. */
const MOST = 24 * 1024

/**
 * What the text index holds of a delivery: chosen values of the body, the request target, header values.
 * @param secret names, lower case, of headers that carry the secret of an endpoint
 */
export function searchable(
  searchText: string,
  url: string,
  headers: readonly string[],
  secret: ReadonlySet<string>,
): string {
  const values: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!isPrivate(headers[i] ?? '', secret)) values.push(headers[i + 1] ?? '')
  return `${searchText}\n${url}\n${values.join('\n')}`.slice(0, MOST)
}

const isPrivate = (name: string, secret: ReadonlySet<string>): boolean =>
  PRIVATE.test(name) || secret.has(name.toLowerCase())
