import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { foreignFindings, isSound, packFindings } from '#storage/body/stored-body.ts'
import { deliveryRecord } from '#storage/wire/record.ts'
import { FilingWriter, packed } from '../../support/filing-writer.ts'
import { aDelivery, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { arrive, bytesIn, execIn, requestsOf } from './fixture.ts'

const PIECE = 1024 * 1024

/** Makes a closed store with five deliveries, the last one in pieces. */
async function filled(): Promise<{ folder: string; file: string }> {
  const folder = tempFolder()
  await using opened = await openTestStore(folder)
  const { store } = opened
  await arrive(store, ...['one', 'two', 'three', 'four'].map((body) => ({ body: `{"x":"${body}"}` })))
  const sink = store.capture.openBody()
  await sink.write(Buffer.alloc(2 * PIECE, 'p'))
  await arrive(store, { body: await sink.finish(), bodySize: 2 * PIECE })
  return { folder, file: join(folder, 'captured.db') }
}

test('what has a checksum is proved, in the database and in the log, and a damaged record is named', async () => {
  const { folder, file } = await filled()
  execIn(file, 'UPDATE payload SET crc = NULL WHERE delivery_id = 1')
  await using opened = await openTestStore(folder)
  expect(await opened.store.verify()).toEqual({
    ...{ database: null, checked: 7, unproved: 1, altered: [] },
    ...{ records: 7, damaged: [] },
  })
  expect(opened.store.status().logProblems).toEqual([])
  const paths = readdirSync(join(folder, 'log')).map((name) => join(folder, 'log', name))
  const path = paths.find((one) => readFileSync(one).includes('three')) ?? ''
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('three')] = 0
  writeFileSync(path, bytes)
  expect(await opened.store.verify()).toMatchObject({ records: 6, damaged: [[3, 3]], altered: [] })
  mkdirSync(path.replace(/\d+-/, '0000000099-'))
  await expect(opened.store.verify()).rejects.toMatchObject({
    code: 'store-failed',
    message: `The log in ${join(folder, 'log')} cannot be read: it is a folder.`,
  })
})

test('bytes that changed, are missing or another delivery’s are never given out: whoever reads, searches or sends them is told which delivery', async () => {
  const { folder, file } = await filled()
  execIn(
    file,
    `UPDATE payload SET body = CAST('{"x":"twx"}' AS BLOB) WHERE delivery_id = 2;
     UPDATE payload SET (body, crc) = (SELECT body, crc FROM payload WHERE delivery_id = 1) WHERE delivery_id = 3;
     DELETE FROM payload WHERE delivery_id = 1;
     UPDATE chunk SET bytes = zeroblob(${PIECE}) WHERE seq = 1`,
  )
  await using opened = await openTestStore(folder)
  const { store } = opened
  for (const id of [1, 2, 3, 5])
    await expect(bytesIn(store, id)).rejects.toMatchObject({ code: 'damaged', details: { id } })
  expect((await bytesIn(store, 4)).toString()).toBe('{"x":"four"}')
  // The piece before the changed one is valid.
  expect((await store.deliveries.body(5, 'raw', 0, 100))?.bytesBase64).not.toBe('')
  const found = await store.deliveries.scan(readFilter('$.x:*'), { after: null, limit: 9 })
  expect(found.map(({ id }) => id)).toEqual([4])
  expect(await store.verify()).toMatchObject({ checked: 7, altered: [1, 2, 3, 5], database: null })
  expect(store.status().logProblems).toEqual([{ kind: 'altered', ids: [1, 2, 3, 5] }])
  const requests = requestsOf(folder)
  const send = (id: number) => [...(requests.get(id)?.body.pieces() ?? [])].join('')
  expect(send(4)).toBe('{"x":"four"}')
  for (const id of [2, 5]) expect(() => send(id)).toThrow(`The stored bytes of delivery ${id}`)
})

test('the scrub after the start finds by itself what changed', { tags: 'long' }, async () => {
  const { folder, file } = await filled()
  execIn(file, "UPDATE payload SET body = CAST('x' AS BLOB) WHERE delivery_id = 4")
  await using opened = await openTestStore(folder)
  const { store } = opened
  await expect
    .poll(() => store.status().logProblems, { timeout: 20_000 })
    .toEqual([{ kind: 'altered', ids: [4] }])
})

test('salvage does not bless what changed: the checksum comes along with the bytes', () => {
  const folder = tempFolder()
  const filing = new FilingWriter(folder)
  const { captured } = filing.writer
  const said = { pinned: false, note: null, tags: [] }
  const { bytes: record } = packed(deliveryRecord(aDelivery({ body: 'bytes' })))
  for (const [id, crc] of [1, null].entries())
    captured.adopt({ id: id + 1, record, crc, answeredBy: null, said, trashed: null }, 0)
  const rows = captured.statements
    .all`SELECT delivery_id AS id, headers, trailers, body, crc FROM payload ORDER BY 1`
  expect(rows.map((row) => isSound(Number(row.id), row))).toEqual([false, null])
  filing.close()
})

test('findings of a session file count only when Acuse could have written them', () => {
  const finding = {
    level: 'note',
    code: 'c',
    pointer: '/x',
    params: { found: 'a', most: 2 },
    rule: 'r',
    line: 1,
  } as const
  const read = (...findings: unknown[]) => foreignFindings(packFindings(findings as (typeof finding)[]))
  expect(read(finding)).toEqual([finding])
  expect(foreignFindings(null)).toEqual([])
  const others = Object.keys(finding).map((name) => ({ ...finding, [name]: [] }))
  const changed = [{ level: 'fatal' }, { params: { a: {} } }, { line: -1 }, { column: 0.5 }, { more: 1 }]
  for (const one of [...others, ...changed.map((part) => ({ ...finding, ...part })), {}, null, 'x'])
    expect(read(finding, one)).toBeNull()
  expect(read(...Array(501).fill(finding))).toBeNull()
  expect(foreignFindings(Buffer.from('x'))).toBeNull()
})
