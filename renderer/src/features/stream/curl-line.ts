import { KINDS } from '#catalog/kinds.ts'
import { localTime, localZone } from '@/shared/formats/local-time.ts'

/** Sample values of a customer. The specification documents no types, so only their presence matters. */
const SAMPLE: Readonly<Record<string, string>> = {
  CustomerId: '5c1f3a52-7b0e-4c54-9d7e-0a6c2f1b8e34',
  LegalName: 'Ferretería El Progreso, SRL',
  TaxIdentification: '131048227',
}

/** ISO 8601 in local time with offset, as the service sends it; `Z` would get a warning. */
const timestamp = (now: Date): string => localTime(now.getTime()).replace(/\.\d+$/, localZone(now.getTime()))

/** In single quotes for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A valid customer.created with every field of the catalogue. */
export function sampleEvent(now: Date): string {
  const kind = KINDS.find((k) => k.kind === 'customer.created')
  const data = Object.fromEntries((kind?.fields ?? []).map((name) => [name, SAMPLE[name] ?? name]))
  return JSON.stringify({ Event: 'customer.created', Timestamp: timestamp(now), data })
}

export interface CurlLine {
  readonly url: string
  /** Name of the endpoint's secret header; the command contains YOUR-SECRET as its value. */
  readonly secretHeader: string | null
  readonly now: Date
}

/** A command that delivers a valid event to `url`, in lines of a terminal's width. */
export function curlLine({ url, secretHeader, now }: CurlLine): string {
  return [
    // Over HTTPS the certificate is rarely valid for this machine's name.
    `curl -sS${url.startsWith('https:') ? 'k' : ''} -X POST ${quoted(url)}`,
    "-H 'Content-Type: application/json'",
    ...(secretHeader === null ? [] : [`-H ${quoted(`${secretHeader}: YOUR-SECRET`)}`]),
    `-d ${quoted(sampleEvent(now))}`,
  ].join(' \\\n  ')
}
