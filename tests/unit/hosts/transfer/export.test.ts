import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Params } from '#contract/commands.ts'
import { EXPORT_FORMATS } from '#contract/transfer.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import { joined } from '#interop/formats/format.ts'
import { ndjson } from '#interop/formats/formats.ts'
import { Mask } from '#interop/mask/mask.ts'
import { exportedOf, written } from '../../../support/arbitrary-delivery.ts'
import { type Assembled, assembled } from '../../../support/assembled.ts'
import { anEvent } from '../../../support/events.ts'
import { aDelivery } from '../../../support/store.ts'
import { imported } from '../../../support/transfers.ts'
import { until } from '../../../support/until.ts'

const COUNT = 700
const body = JSON.stringify(anEvent('factura.created', { data: { Note: 'x'.repeat(1_000) } }))
let host: Assembled
const engine = () => host.host.engine

async function* pieces(params: Omit<Params<'export.open'>, 'source'>, { engine } = host.host) {
  const { id, deliveries } = await engine.call('export.open', {
    source: { type: 'filter', filter: '' },
    ...params,
  })
  expect(deliveries).toBe(engine === host.host.engine ? COUNT : 1)
  for (;;) {
    const { bytesBase64, done, written } = await engine.call('export.read', { id })
    yield { id, bytes: Buffer.from(bytesBase64, 'base64'), written }
    if (done) return
  }
}

beforeAll(async () => {
  host = await assembled({ receiver: { enabled: false } })
  const deliveries = Array.from({ length: COUNT }, (_, n) =>
    exportedOf(aDelivery({ receivedAt: 1.7e15 + n, body })),
  )
  const { imported: stored } = await imported(engine(), 'many.ndjson', await written(ndjson, deliveries))
  expect(stored).toBe(COUNT)
})
afterAll(() => host.close())

it.each(EXPORT_FORMATS)('%s: many pieces end, and have every delivery', async (format) => {
  let count = 0
  let most = 0
  const parts: Buffer[] = []
  for await (const piece of pieces({ format, bodies: format === 'ndjson' })) {
    parts.push(piece.bytes)
    most = Math.max(most, piece.bytes.length)
    expect(piece.written).toBeGreaterThanOrEqual(count)
    count = piece.written
  }
  expect(count).toBe(COUNT)
  // A piece has at most one delivery more than its size, whatever the size of the store.
  expect(most).toBeLessThan(300_000)
  if (format === 'ndjson') expect(Buffer.concat(parts).toString().split('\n').length).toBe(COUNT + 1)
})

it('counts the last delivery, too, when it fills a piece', async () => {
  const other = await assembled({ receiver: { enabled: false } })
  const large = exportedOf(aDelivery({ body: 'x'.repeat(300_000) }))
  await imported(other.host.engine, 'one.ndjson', await written(ndjson, [large]))
  let count = 0
  for await (const piece of pieces({ format: 'ndjson', bodies: true }, other.host)) count = piece.written
  expect(count).toBe(1)
  await other.close()
})

it('stops at once when it is closed, and another one goes on', async () => {
  const [one, other] = [pieces({ format: 'csv' }), pieces({ format: 'csv' })]
  const { value } = await one.next()
  await engine().call('export.close', { id: value?.id ?? 0 })
  await expect(one.next()).rejects.toMatchObject({ code: 'not-found' })
  let count = 0
  for await (const piece of other) count = piece.written
  expect(count).toBe(COUNT)
})

it('leaves no half-made session file when it is closed', async () => {
  const { value } = await pieces({ format: 'session' }).next()
  await engine().call('export.close', { id: value?.id ?? 0 })
  const made = join(host.host.dataDir, 'exports')
  await until(
    () => readdirSync(made),
    (names) => names.length === 0,
  )
})

it('gives what there is after a while, although a piece is not full', async () => {
  let made = 0
  async function* slow() {
    for (; made < 1_000; made++) {
      yield 'x'
      const until = performance.now() + 2
      while (performance.now() < until);
    }
  }
  const all = joined(slow())
  expect(Buffer.from((await all.next()).value ?? []).toString()).toMatch(/^x+$/)
  expect(made).toBeLessThan(1_000)
  await all.return(undefined)
})

it('masks a large body in time of its length, however many values there are to look for', () => {
  const delivery = (size: number) => {
    const members = Array.from({ length: size }, (_, at) => [
      { customerName: `Canario Quintana ${at}` },
      { note: `about Canario Quintana ${at}, and Peña` },
    ])
    return exportedOf(aDelivery({ body: JSON.stringify(members) }))
  }
  const took = (size: number) => {
    const given = delivery(size)
    const mask = new Mask({ names: MASKED_NAMES, kinds: ['credential', 'personal'] })
    const began = performance.now()
    const text = Buffer.from(mask.apply(given).body).toString()
    expect(text.includes('Quintana')).toBe(false)
    return performance.now() - began
  }
  took(200)
  const [small, large] = [took(200), took(3_200)]
  // 16 times the length; with a pattern of all values for each text it took hundreds of times as long.
  expect(large).toBeLessThan(small * 100)
})
