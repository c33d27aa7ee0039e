import type { DeliveryDetail, DeliveryRow, Header } from '#contract/delivery.ts'
import { exactText } from '#core/copy/copy.ts'

/** A delivery as `acuse events --json` prints it; names and order are fixed, since users' scripts read them. */
export function eventRecord(row: DeliveryRow) {
  return {
    id: row.id,
    receivedAt: utc(row.receivedAt),
    endpoint: row.endpoint,
    method: row.method,
    url: row.url,
    kind: row.kind,
    group: row.group,
    documentId: row.documentId,
    statusId: row.statusId,
    verdict: row.verdict,
    answer: row.answer,
    size: row.size,
    rejected: row.rejected,
    marks: row.marks,
    tags: row.tags,
    note: row.note,
    number: row.document?.number ?? row.number,
    party: row.document?.party ?? null,
    total: row.document?.total ?? null,
    currency: row.document?.currency ?? null,
  }
}

/** @param micros microseconds since the epoch @returns ISO 8601 in UTC with all six digits */
export function utc(micros: number): string {
  const millis = Math.floor(micros / 1_000)
  const rest = String(micros - millis * 1_000).padStart(3, '0')
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}

const ISO = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/

const EARLIEST = Date.UTC(1990, 0) * 1_000
/** Microseconds of much later times are no exact numbers, and a store that has one cannot be read. */
export const LATEST = Date.UTC(2200, 0) * 1_000

/** Reads an ISO 8601 time, by default in UTC, to the microsecond. @returns microseconds since the epoch; null for another text, or no time of a delivery */
export function microsOf(text: string): number | null {
  const [, date, fraction = '', zone = 'Z'] = ISO.exec(text.trim()) ?? []
  if (date === undefined) return null
  const offset = zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase()
  const seconds = Date.parse(`${date.replace(' ', 'T').toUpperCase()}${offset}`)
  const micros = seconds * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return micros >= EARLIEST && micros <= LATEST ? micros : null
}

export type DeliveryRecord = ReturnType<typeof deliveryRecord>

/** A delivery with everything but its body: what an import needs besides. */
export function deliveryRecord({ detail, bodyState }: MaskedDelivery) {
  return {
    ...eventRecord(detail),
    httpVersion: detail.httpVersion,
    remoteAddress: detail.remoteAddress,
    remotePort: detail.remotePort,
    receivingUs: detail.receivingUs,
    tookUs: detail.tookUs,
    malformed: detail.malformed,
    headers: detail.headers.map(pair),
    trailers: detail.trailers.map(pair),
    answeredBy: detail.answeredBy,
    answered: detail.answered && {
      headers: detail.answered.headers.map(pair),
      bodyBase64: detail.answered.bodyBase64,
    },
    noteText: detail.noteText?.text ?? null,
    ...(bodyState === 'as-received' ? {} : { bodyState }),
  }
}

/** Members for a body: text where its bytes are UTF-8, else base64. */
export function bodyMembers({ body, bodyState }: MaskedDelivery) {
  if (bodyState === 'left-out') return { body: null }
  const text = exactText(body)
  return text === null ? { bodyBase64: Buffer.from(body).toString('base64') } : { body: text }
}

const pair = ({ name, value }: Header): [string, string] => [name, value]

/** A delivery with everything that formats and masking need, held whole: one at a time. */
export interface ExportedDelivery {
  /** No header is marked as masked: masking has replaced values in place. */
  readonly detail: DeliveryDetail
  /** The stored bytes, fewer than `detail.size` when the receiver truncated the body. */
  readonly body: Uint8Array
  /** The body without its Content-Encoding codings, null when they cannot be removed; `body` itself without codings. */
  readonly decoded: Uint8Array | null
}

/** What masking did to a body. `decoded`: it is written without its codings; `left-out`: it cannot be read, so nothing of it is written. */
export type BodyState = 'as-received' | 'masked' | 'decoded' | 'left-out'

export interface MaskedDelivery extends ExportedDelivery {
  readonly bodyState: BodyState
}
