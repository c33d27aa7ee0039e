import type { Header } from '#contract/delivery.ts'

/** Headers that carry credentials whatever the endpoint's own secret header is called. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
])

/** Covers credentials in what leaves the process. */
export interface Masking {
  header(header: Pick<Header, 'name' | 'value'>): Header
  /** @param text a request or status line and headers, as on the wire */
  head(text: string): string
}

/** @param secretHeaders names, lower case, of the headers that an endpoint's secret travels in; asked for every header */
export function createMasking(secretHeaders: () => ReadonlySet<string>): Masking {
  const covered = (name: string) => {
    const lower = name.toLowerCase()
    return CREDENTIAL_HEADERS.has(lower) || secretHeaders().has(lower)
  }
  const description = (value: string) => `${value.length} characters`
  return {
    header: ({ name, value }) =>
      covered(name) ? { name, value: description(value), masked: true } : { name, value, masked: false },
    head: (text) =>
      text
        .split('\r\n')
        .map((line) => {
          // The space behind the colon is a custom, and some leave it out.
          const at = line.indexOf(':')
          return at > 0 && covered(line.slice(0, at))
            ? `${line.slice(0, at)}: <masked: ${description(line.slice(at + 1).trim())}>`
            : line
        })
        .join('\r\n'),
  }
}
