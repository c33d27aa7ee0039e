import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MALFORMED } from '#contract/values.ts'
import { deliveryRecord, readRecord, unpackHeaders } from '#storage/wire/record.ts'
import { packed } from '../../support/filing-writer.ts'
import { forAll } from '../../support/for-all.ts'
import { aDelivery } from '../../support/store.ts'

const latin1 = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})
const headers = fc
  .array(fc.tuple(fc.stringMatching(/^[!-9;-~]{1,20}$/), latin1), { maxLength: 12 })
  .map((pairs) => pairs.flat())
const bytes = fc.uint8Array({ maxLength: 300 })

const delivery = fc
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
    malformed: fc.constantFrom(null, ...MALFORMED),
    answer: fc.option(fc.record({ status: fc.integer({ min: 100, max: 999 }), headers, body: bytes })),
  })
  .map((parts) => aDelivery({ ...parts, bodySize: parts.body.byteLength }))

test('records give back every delivery as it went in', () =>
  forAll(100, [fc.array(delivery, { maxLength: 8 })], (deliveries) => {
    const records = deliveries.map((one) => readRecord(packed(deliveryRecord(one)).bytes))
    expect(records.length).toBe(deliveries.length)
    for (const [i, record] of records.entries()) {
      const sent = deliveries[i]
      expect({
        ...record,
        headers: unpackHeaders(record.headers),
        trailers: unpackHeaders(record.trailers),
        body: record.body && new Uint8Array(record.body),
        answer: record.answer && {
          status: record.answer.status,
          headers: unpackHeaders(record.answer.headers),
          body: new Uint8Array(record.answer.body),
        },
      }).toEqual({ ...sent, upload: null })
    }
  }))

test('a record whose lengths do not fit its bytes is refused, not read beyond', () => {
  const { bytes } = packed(deliveryRecord(aDelivery({ body: 'whole' })))
  expect(() => readRecord(bytes.subarray(0, -1))).toThrow(RangeError)
})
