import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inSession } from '#hosts/transfer/importing.ts'
import type { Format } from '#interop/formats/format.ts'
import { ndjson } from '#interop/formats/formats.ts'
import { har } from '#interop/formats/har.ts'
import { raw } from '#interop/formats/raw.ts'
import type { Found } from '#interop/imports/record.ts'
import type { MaskedDelivery } from '#interop/records.ts'
import { exportedOf, newDelivery, written } from '../../support/arbitrary-delivery.ts'
import { runs } from '../../support/depth.ts'
import { fileOf, foundIn } from '../../support/import-file.ts'
import { sessionOf } from '../../support/session-file.ts'
import { sharedFolder } from '../../support/temp-folder.ts'

const folder = sharedFolder()

/** Writes deliveries, and reads the file again in pieces of `size`. */
type Trip = (deliveries: readonly MaskedDelivery[], size: number) => Promise<readonly Found[]>

const through =
  (format: Format): Trip =>
  async (deliveries, size) =>
    foundIn(fileOf(await written(format, deliveries), `x.${format.extension}`, size))
const TRIPS: Readonly<Record<string, Trip>> = {
  ndjson: through(ndjson),
  har: through(har),
  raw: through(raw),
  session: async (deliveries) => [...inSession(sessionOf(folder, deliveries), fileOf(new Uint8Array()))],
}

test.each(Object.entries(TRIPS))('%s gives back every delivery as it was', async (_, trip) => {
  const deliveries = fc.array(newDelivery, { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(deliveries, fc.integer({ min: 1, max: 3_000 }), async (all, size) => {
      // From 1990 on: an earlier time is a mistake in a file.
      const sent = all.map(({ importedAt: _, authenticated: __, ...one }) => ({
        ...one,
        receivedAt: 631_152_000_000_000 + one.receivedAt,
      }))
      const found = await trip(
        sent.map((one, at) => exportedOf(one, { id: at + 1 })),
        size,
      )
      const got = found.map((one) => ('imported' in one ? one.imported.delivery : one))
      const { length } = sent
      expect(got.length).toBe(length)
      for (const [at, one] of sent.entries()) {
        const { synthetic, ...rest } = one
        const back = got[at]
        expect(
          back && 'body' in back
            ? {
                ...back,
                body: new Uint8Array(back.body),
                answer: back.answer && { ...back.answer, body: new Uint8Array(back.answer.body) },
              }
            : back,
        ).toEqual({
          ...rest,
          ...(synthetic ? { synthetic } : {}),
        })
      }
    }),
    { numRuns: runs(300) },
  )
})
