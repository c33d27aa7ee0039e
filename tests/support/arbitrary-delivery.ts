import { Readable } from 'node:stream'
import fc from 'fast-check'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { headerRows } from '#contract/headers.ts'
import { MALFORMED } from '#contract/values.ts'
import type { NewDelivery } from '#core/ports.ts'
import { type Format, joined, type WriteOptions } from '#interop/formats/format.ts'
import type { MaskedDelivery } from '#interop/records.ts'
import { aRow } from './delivery-row.ts'
import { aDelivery } from './store.ts'

const latin1 = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})
const headers = fc
  .array(fc.tuple(fc.stringMatching(/^[!-9;-~]{1,20}$/), latin1), { maxLength: 12 })
  .map((pairs) => pairs.flat())
const bytes = fc.uint8Array({ maxLength: 300 })

/** A delivery with anything that a sender and the receiver can put into it. */
export const newDelivery = fc
  .record({
    receivedAt: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
    receivingUs: fc.nat(),
    url: latin1,
    headers,
    trailers: headers,
    body: bytes,
    rejected: fc.boolean(),
    synthetic: fc.boolean(),
    authenticated: fc.boolean(),
    importedAt: fc.option(fc.integer({ min: 1, max: 4_000_000_000_000_000 })),
    malformed: fc.constantFrom(null, ...MALFORMED),
    answer: fc.option(fc.record({ status: fc.integer({ min: 100, max: 999 }), headers, body: bytes })),
  })
  .map((parts) => aDelivery({ ...parts, bodySize: parts.body.byteLength }))

/** A delivery as an export gets it, unmasked. */
export function exportedOf(delivery: NewDelivery, more: Partial<DeliveryDetail> = {}): MaskedDelivery {
  const body = 'upload' in delivery.body ? new Uint8Array() : delivery.body
  const { answer, headers, trailers, rejected, malformed, synthetic = false } = delivery
  const { receivedAt, receivingUs, endpoint, method, url, httpVersion, remoteAddress, remotePort } = delivery
  const detail: DeliveryDetail = {
    ...aRow({
      id: 7,
      receivedAt,
      endpoint,
      method,
      url,
      rejected,
      malformed,
      answer: answer?.status ?? null,
    }),
    ...{ size: delivery.bodySize, marks: synthetic ? ['synthetic'] : [] },
    ...{ httpVersion, remoteAddress, remotePort, receivingUs, bodyKept: body.length },
    headers: headerRows(headers),
    trailers: headerRows(trailers),
    answeredBy: null,
    answered: answer && {
      headers: headerRows(answer.headers),
      bodyBase64: Buffer.from(answer.body).toString('base64'),
    },
    ...{ findingList: [], noteText: null, drift: [], codings: [] },
    ...more,
  }
  return { detail, body, decoded: body, bodyState: 'as-received' }
}

/** Writes deliveries in a format, and joins the pieces. */
export async function written(
  { write }: Format,
  deliveries: readonly MaskedDelivery[],
  options: Partial<WriteOptions> = {},
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const all = { createdAt: 0, version: '0', bodies: true, base: null, ...options }
  for await (const piece of joined(write(Readable.from(deliveries), all))) parts.push(piece)
  return Buffer.concat(parts)
}
