import { KINDS } from '#catalog/kinds.ts'
import { localTime, localZone } from '@/shared/formats/local-time.ts'

/** Values as the specification's own examples of a customer could look; only their presence matters, since no type is documented. */
const SAMPLE: Readonly<Record<string, string>> = {
  CustomerId: '5c1f3a52-7b0e-4c54-9d7e-0a6c2f1b8e34',
  LegalName: 'Ferretería El Progreso, SRL',
  TaxIdentification: '131048227',
}

/** ISO 8601 in local time with its offset, as the service sends it; never `Z`, which would be judged a warning. */
const timestamp = (now: Date): string => localTime(now.getTime()).replace(/\.\d+$/, localZone(now.getTime()))

/** In single quotes for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A whole, valid customer.created, with every field of the catalogue. */
export function sampleEvent(now: Date): string {
  const kind = KINDS.find((k) => k.kind === 'customer.created')
  const data = Object.fromEntries((kind?.fields ?? []).map((name) => [name, SAMPLE[name] ?? name]))
  return JSON.stringify({ Event: 'customer.created', Timestamp: timestamp(now), data })
}

export interface CurlLine {
  readonly url: string
  /** Name of the header that the endpoint asks for; its value is a secret and stands as YOUR-SECRET. */
  readonly secretHeader: string | null
  readonly now: Date
}

/** A command that delivers a valid event to `url`, in lines of a terminal's width. */
export function curlLine({ url, secretHeader, now }: CurlLine): string {
  return [
    // Over HTTPS the name of this machine is hardly ever one that the certificate is for.
    `curl -sS${url.startsWith('https:') ? 'k' : ''} -X POST ${quoted(url)}`,
    "-H 'Content-Type: application/json'",
    ...(secretHeader === null ? [] : [`-H ${quoted(`${secretHeader}: YOUR-SECRET`)}`]),
    `-d ${quoted(sampleEvent(now))}`,
  ].join(' \\\n  ')
}
