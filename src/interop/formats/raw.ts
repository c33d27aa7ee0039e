import { packTar } from 'modern-tar'
import { deliveryRecord, type MaskedDelivery } from '../records.ts'
import { type Format, nameOf } from './format.ts'

/** The pax record with the rest of a delivery, as JSON: other programs ignore comments. */
export const RECORD_KEY = 'comment'
const END_BYTES = 1_024

/**
 * The bytes of a request that a sender of raw bytes replays: request line and headers as received, and the body, framed by its length. What
 * was no HTTP is written as it arrived.
 */
export function requestBytes({ detail, body }: MaskedDelivery): Uint8Array {
  if (detail.malformed !== null && detail.headers.length === 0) return body
  const framed = detail.headers.filter(
    ({ name }) => !/^(?:transfer-encoding|content-length|trailer)$/i.test(name),
  )
  const length =
    body.length > 0 || detail.headers.length > framed.length ? [`Content-Length: ${body.length}`] : []
  const lines = [
    `${detail.method} ${detail.url} HTTP/${detail.httpVersion}`,
    ...framed.map(({ name, value }) => `${name}: ${value}`),
    ...length,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

async function entry(delivery: MaskedDelivery): Promise<Uint8Array> {
  const bytes = Uint8Array.from(requestBytes(delivery))
  const { receivedAt } = delivery.detail
  const packed = await packTar([
    {
      header: {
        name: `requests/${nameOf(delivery)}.http`,
        size: bytes.length,
        type: 'file',
        mode: 0o600,
        mtime: new Date(receivedAt / 1_000),
        pax: {
          mtime: `${Math.floor(receivedAt / 1e6)}.${String(receivedAt % 1e6).padStart(6, '0')}`,
          [RECORD_KEY]: JSON.stringify(deliveryRecord(delivery)),
        },
      },
      body: bytes,
    },
  ])
  return packed.subarray(0, -END_BYTES)
}

/** A tar archive with one file per request. `tar -xf` makes a folder of them, and `nc host port < file` sends one again. */
export const raw: Format = {
  extension: 'tar',
  mediaType: 'application/x-tar',
  async *write(deliveries) {
    for await (const delivery of deliveries) yield await entry(delivery)
    yield new Uint8Array(END_BYTES)
  },
}
