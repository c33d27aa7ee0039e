import { badRecord, type Refusal } from '#contract/errors.ts'
import type { AnsweredBy } from '#contract/faults.ts'
import { importedRecord } from '#contract/imported.ts'
import type { NewDelivery } from '#core/ports.ts'
import { microsOf } from '../records.ts'

/** A delivery read from a file, as another program received it. */
export interface ImportedDelivery {
  readonly delivery: Omit<NewDelivery, 'body'> & { readonly body: Uint8Array }
  readonly tookUs: number | null
  readonly answeredBy: AnsweredBy | null
  readonly note: string | null
  readonly tags: readonly string[]
  readonly pinned: boolean
}

/** What an import finds: a delivery, or a record that is none, with its place in the file. */
export type Found =
  /** `theirs`: its id in a session file, by which attempts and sweeps refer to it. */
  | { readonly place: string; readonly imported: ImportedDelivery; readonly theirs?: number }
  | { readonly place: string; readonly reason: Refusal }

export interface ImportFile {
  readonly name: string
  /** Microseconds since the epoch: the time of deliveries that state none. */
  readonly at: number
  /** Endpoint of deliveries that state none. */
  readonly endpoint: string
  pieces(): AsyncIterable<Uint8Array>
}

export interface Request {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** A delivery of which only the request is known. @param at microseconds since the epoch */
export const fromRequest = (
  { method, url, httpVersion, headers, body }: Request,
  { endpoint }: Pick<ImportFile, 'endpoint'>,
  at: number,
): ImportedDelivery => ({
  delivery: {
    receivedAt: at,
    receivingUs: 0,
    endpoint,
    method,
    url,
    httpVersion,
    remoteAddress: '',
    remotePort: 0,
    headers,
    trailers: [],
    body,
    bodySize: body.length,
    answer: null,
    rejected: false,
    malformed: null,
  },
  tookUs: null,
  answeredBy: null,
  note: null,
  tags: [],
  pinned: false,
})

/** Reads a record that Acuse wrote. @param body its body, when another part of the file has it */
export function fromRecord(place: string, value: unknown, file: ImportFile, body?: Uint8Array): Found {
  const read = importedRecord.safeParse(value, { reportInput: true })
  if (!read.success) {
    const [{ path, input } = { path: [], input: value }] = read.error.issues
    const why = input === undefined ? 'missing' : 'wrong'
    return { place, reason: badRecord(why, { path: path.join('.') || 'record' }) }
  }
  const record = read.data
  const receivedAt = microsOf(record.receivedAt)
  if (receivedAt === null) return { place, reason: badRecord('time', { path: 'receivedAt' }) }
  if (record.body === null && body === undefined) return { place, reason: badRecord('body-left-out') }
  const bytes = body ?? bytesOf(record)
  if (bytes === null && record.size > 0) return { place, reason: badRecord('no-body') }
  const answered = record.answered ?? null
  const marks = record.marks ?? []
  return {
    place,
    imported: {
      delivery: {
        receivedAt,
        receivingUs: record.receivingUs ?? 0,
        endpoint: record.endpoint ?? file.endpoint,
        method: record.method.toWellFormed(),
        url: record.url.toWellFormed(),
        httpVersion: record.httpVersion ?? '1.1',
        remoteAddress: record.remoteAddress ?? '',
        remotePort: record.remotePort ?? 0,
        headers: (record.headers ?? []).flat(),
        trailers: (record.trailers ?? []).flat(),
        body: bytes ?? new Uint8Array(),
        bodySize: Math.max(record.size, bytes?.length ?? 0),
        answer:
          answered === null
            ? null
            : {
                status: record.answer ?? 0,
                headers: answered.headers.flat(),
                body: Buffer.from(answered.bodyBase64, 'base64'),
              },
        rejected: record.rejected ?? false,
        malformed: record.malformed ?? null,
        ...(marks.includes('synthetic') ? { synthetic: true } : {}),
      },
      tookUs: record.tookUs ?? null,
      answeredBy: record.answeredBy ?? null,
      note: record.noteText ?? null,
      tags: record.tags ?? [],
      pinned: marks.includes('pinned'),
    },
  }
}

function bytesOf({
  body,
  bodyBase64,
}: {
  body?: string | null | undefined
  bodyBase64?: string | undefined
}) {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64')
  return typeof body === 'string' ? Buffer.from(body) : null
}
