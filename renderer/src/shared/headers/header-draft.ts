import { RESERVED_HEADERS } from '#catalog/http-headers.ts'
import { headerName, headerValue } from '#contract/params.ts'

/** A header as the user edits it: right or not. */
export interface HeaderDraft {
  /** Its identity while it is edited; names may be empty or come twice. */
  readonly key: number
  readonly name: string
  readonly value: string
  /** The value is a secret that the window was not told, shown as this; it stays as it is until something is typed. */
  readonly kept: string | null
  readonly secret: boolean
}

export type HeaderError = 'headerName' | 'headerReserved' | 'headerValue' | 'headerLong'

let lastKey = 0
export function newHeader(known: Partial<Omit<HeaderDraft, 'key'>> = {}): HeaderDraft {
  lastKey += 1
  return { name: '', value: '', kept: null, secret: false, ...known, key: lastKey }
}

/** What no host would take, told while typing. @returns errors by where they stand: `header-name-3`, `header-value-0` */
export function headerErrors(
  headers: readonly HeaderDraft[],
): Map<string, Exclude<HeaderError, 'headerReserved'>> {
  const errors = new Map<string, Exclude<HeaderError, 'headerReserved'>>()
  for (const [index, { name, value }] of headers.entries()) {
    const wrongName = headerName.safeParse(name).error?.issues.at(-1)
    const wrongValue = headerValue.safeParse(value).error?.issues.at(-1)
    if (wrongName)
      errors.set(`header-name-${index}`, wrongName.code === 'too_big' ? 'headerLong' : 'headerName')
    if (wrongValue)
      errors.set(`header-value-${index}`, wrongValue.code === 'too_big' ? 'headerLong' : 'headerValue')
  }
  return errors
}

/** As `headerErrors`, for headers of a request that we send: those of the connection are refused as well. */
export function sentHeaderErrors(headers: readonly HeaderDraft[]): Map<string, HeaderError> {
  const reserved = headers.flatMap(({ name }, index) =>
    RESERVED_HEADERS.has(name.toLowerCase()) ? [[`header-name-${index}`, 'headerReserved'] as const] : [],
  )
  return new Map<string, HeaderError>([...reserved, ...headerErrors(headers)])
}
