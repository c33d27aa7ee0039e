/** A header while it is being edited: whatever was typed, right or not. */
export interface HeaderDraft {
  /** Its identity while it is edited; names may be empty or come twice. */
  readonly key: number
  readonly name: string
  readonly value: string
  /** The value is a secret that the window was not told, shown as this; it stays as it is until something is typed. */
  readonly kept: string | null
  /** Its value is to be kept as a secret. */
  readonly secret: boolean
}

export type HeaderError = 'headerName' | 'headerReserved' | 'headerValue' | 'headerLong'

let lastKey = 0
export function newHeader(known: Partial<Omit<HeaderDraft, 'key'>> = {}): HeaderDraft {
  lastKey += 1
  return { name: '', value: '', kept: null, secret: false, ...known, key: lastKey }
}

export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const LONGEST = { name: 200, value: 65_536 } as const
/** They frame the message or steer the connection. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** What no host would take, told while typing. @returns errors by where they stand: `header-name-3`, `header-value-0` */
export function headerErrors(
  headers: readonly HeaderDraft[],
): Map<string, Exclude<HeaderError, 'headerReserved'>> {
  const errors = new Map<string, Exclude<HeaderError, 'headerReserved'>>()
  for (const [index, { name, value }] of headers.entries()) {
    if (!HEADER_NAME.test(name)) errors.set(`header-name-${index}`, 'headerName')
    else if (name.length > LONGEST.name) errors.set(`header-name-${index}`, 'headerLong')
    if (!HEADER_VALUE.test(value)) errors.set(`header-value-${index}`, 'headerValue')
    else if (value.length > LONGEST.value) errors.set(`header-value-${index}`, 'headerLong')
  }
  return errors
}

/** As `headerErrors`, for headers of a request that we send: those of the connection are refused as well. */
export function sentHeaderErrors(headers: readonly HeaderDraft[]): Map<string, HeaderError> {
  const reserved = headers.flatMap(({ name }, index) =>
    RESERVED.has(name.toLowerCase()) ? [[`header-name-${index}`, 'headerReserved'] as const] : [],
  )
  return new Map<string, HeaderError>([...reserved, ...headerErrors(headers)])
}
