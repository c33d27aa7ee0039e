import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deliveryRecord, readRecord, unpackHeaders } from '#storage/wire/record.ts'
import { newDelivery } from '../../support/arbitrary-delivery.ts'
import { packed } from '../../support/filing-writer.ts'
import { forAll } from '../../support/for-all.ts'
import { aDelivery } from '../../support/store.ts'

test('records give back every delivery as it went in', () =>
  forAll(100, [fc.array(newDelivery, { maxLength: 8 })], (deliveries) => {
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
      }).toEqual({ importedAt: null, ...sent, upload: null })
    }
  }))

test('a record whose lengths do not fit its bytes is refused, not read beyond', () => {
  const { bytes } = packed(deliveryRecord(aDelivery({ body: 'whole' })))
  expect(() => readRecord(bytes.subarray(0, -1))).toThrow(RangeError)
})
