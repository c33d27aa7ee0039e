import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { type Assembled, assembled } from '../../../support/assembled.ts'
import { anEvent } from '../../../support/events.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { exported, imported } from '../../../support/transfers.ts'

/** What an imported delivery has from its file. */
const FACTS = ['receivedAt', 'url', 'kind', 'verdict', 'size', 'answer', 'tookUs', 'tags', 'note'] as const
const SENT = 40
const everything = { bodies: true, reveal: true, unmask: true } as const

let from: Assembled
let to: Assembled
const engineOf = ({ host }: Assembled) => host.engine
const settled = (one: Assembled) => engineOf(one).call('deliveries.settled', { timeoutMs: 20_000 })
const rows = async (one: Assembled, filter = '') =>
  (await engineOf(one).call('deliveries.scan', { filter, after: null, limit: 1_000, reveal: true })).rows

beforeAll(async () => {
  ;[from, to] = await Promise.all([assembled(), assembled()])
  for (let sent = 0; sent < SENT; sent++) {
    const kind = KINDS[sent % KINDS.length]?.kind ?? 'factura.created'
    const body = sent === 7 ? 'x'.repeat(2_500_000) : JSON.stringify(anEvent(kind))
    await fetch(new URL(`/in?n=${sent}`, from.receiverUrl), {
      method: 'POST',
      body,
      headers: { 'X-N': String(sent), 'Content-Type': 'application/json' },
    })
  }
  await settled(from)
  await engineOf(from).call('deliveries.annotate', { ids: [3], note: 'look', addTags: ['urgent'] })
  await engineOf(from).call('deliveries.pin', { ids: [4], pinned: true })
  await fetch(to.receiverUrl, { method: 'POST', body: '{}' })
})
afterAll(() => Promise.all([from?.close(), to?.close()]))

describe('an import', () => {
  it('takes in every delivery with its time, verdict and note, marked as imported, once', async () => {
    const file = await exported(engineOf(from), { format: 'ndjson', ...everything })
    const done = { state: 'done', format: 'ndjson', bad: 0 }
    const twice = await Promise.all([1, 2].map(() => imported(engineOf(to), 'all.ndjson', file)))
    expect(twice.toSorted((a, b) => a.duplicates - b.duplicates)).toMatchObject([
      { ...done, imported: SENT, duplicates: 0 },
      { ...done, imported: 0, duplicates: SENT },
    ])
    await settled(to)
    const facts = (row: Awaited<ReturnType<typeof rows>>[number]) => FACTS.map((fact) => row[fact])
    const [sent, got] = [await rows(from), await rows(to, 'is:imported')]
    expect(got.map(facts)).toEqual(sent.map(facts))
    expect(got.every(({ marks }) => marks.includes('imported'))).toBe(true)
    expect(await rows(to, 'is:pinned')).toMatchObject([{ url: '/in?n=3' }])
    expect(await rows(to, '-is:imported')).toHaveLength(1)
    const [large] = await rows(to, 'size:>1MB')
    const body = await engineOf(to).call('deliveries.body', {
      id: large?.id ?? 0,
      view: 'raw',
      from: 0,
      length: 10,
    })
    expect(body).toMatchObject({
      total: 2_500_000,
      bytesBase64: Buffer.from('xxxxxxxxxx').toString('base64'),
    })
  })

  it.each(['har', 'raw', 'ndjson', 'session'] as const)(
    'recognises in a file of %s what it has already',
    async (format) => {
      const file = await exported(engineOf(from), { format, ...everything })
      expect(await imported(engineOf(to), `all.${format}`, file)).toMatchObject({
        state: 'done',
        imported: 0,
        duplicates: SENT,
        bad: 0,
      })
      expect(await imported(engineOf(from), `all.${format}`, file)).toMatchObject({
        imported: 0,
        duplicates: SENT,
      })
      expect((await engineOf(to).call('status.get', {})).counts).toMatchObject({ stored: SENT + 1, today: 1 })
    },
  )

  it.each(['har', 'raw', 'ndjson', 'session'] as const)(
    'recognises in a masked file of %s what this or another store has already',
    { tags: 'long' },
    async (format) => {
      const file = await exported(engineOf(from), { format, bodies: true })
      for (const one of [from, to])
        expect(await imported(engineOf(one), `masked.${format}`, file)).toMatchObject({
          state: 'done',
          format,
          imported: 0,
          duplicates: SENT,
          bad: 0,
        })
    },
  )

  it('keeps the order of arrival for what is received later', async () => {
    await fetch(new URL('/later', to.receiverUrl), { method: 'POST', body: '{}' })
    const all = await rows(to)
    const now = Date.now()
    const found = await engineOf(to).call('deliveries.at', { filter: '', instant: now - 60_000 })
    expect(found.position).toBeLessThanOrEqual(1)
    expect(all.at(-1)?.url).toBe('/later')
    expect((await engineOf(to).call('deliveries.at', { filter: '', instant: now + 60_000 })).position).toBe(
      all.length - 1,
    )
  })

  it('takes in a file whose time no store could read', async () => {
    const modifiedAt = Date.UTC(2400, 0)
    expect(await imported(engineOf(to), 'a.json', '{}', { modifiedAt })).toMatchObject({ imported: 1 })
    expect(await rows(to, 'received:>2199-01-01')).toHaveLength(1)
  })

  it('says where it cannot write', async () => {
    const { id } = await engineOf(to).call('import.open', { name: 'a.json' })
    const folder = join(to.host.dataDir, 'imports')
    rmSync(folder, { recursive: true })
    await expect(engineOf(to).call('import.write', { id, bytesBase64: 'e30=' })).rejects.toMatchObject({
      code: 'store-failed',
      message: `${folder} cannot be written: there is no such folder.`,
    })
    await engineOf(to).call('import.close', { id })
  })

  it('ends when it is closed, and leaves no file behind', async () => {
    const { id } = await engineOf(to).call('import.open', { name: 'x' })
    await engineOf(to).call('import.write', { id, bytesBase64: 'e30=' })
    const folder = join(to.host.dataDir, 'imports')
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await engineOf(to).call('import.close', { id })).toMatchObject({ state: 'cancelled' })
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
    await expect(engineOf(to).call('import.get', { id })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('an export', () => {
  it('holds the deliveries of a selection, a document or a filter', async () => {
    const ids = async (source: object) =>
      (await exported(engineOf(from), { format: 'ndjson', source: source as { type: 'ids'; ids: number[] } }))
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id)
    expect(await ids({ type: 'ids', ids: [5, 2, 5, 999] })).toEqual([2, 5])
    const [document] = (await rows(from)).map(({ documentId }) => documentId)
    const life = await ids({ type: 'document', documentId: document?.toUpperCase() })
    expect(life).toEqual((await rows(from, `doc:${document}`)).map(({ id }) => id))
    expect(await ids({ type: 'filter', filter: 'kind:dgii.aprobado' })).toEqual(
      (await rows(from, 'kind:dgii.aprobado')).map(({ id }) => id),
    )
    await expect(ids({ type: 'filter', filter: 'kind:(' })).rejects.toMatchObject({ code: 'bad-filter' })
    for (const source of [
      { type: 'job', job: 9 },
      { type: 'sweep', sweep: 9 },
    ])
      await expect(ids(source)).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a backup', () => {
  it('is a folder that opens as the data of a host, made while deliveries arrive', async () => {
    const folder = join(tempFolder(), 'copy')
    const arriving = Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        fetch(new URL(`/during/${n}`, from.receiverUrl), { method: 'POST', body: '{}' }),
      ),
    )
    const made = await engineOf(from).call('store.backup', { folder })
    await arriving
    expect(made.deliveries).toBeGreaterThanOrEqual(SENT)
    await expect(engineOf(from).call('store.backup', { folder })).rejects.toMatchObject({ code: 'conflict' })
    using db = new DatabaseSync(join(folder, 'captured.db'), { readOnly: true })
    expect(db.prepare('SELECT count(*) AS n FROM delivery').get()?.n).toBe(made.deliveries)
    const opened = await assembled({ dataDir: folder })
    await settled(opened)
    const facts = (all: Awaited<ReturnType<typeof rows>>) =>
      all.slice(0, SENT).map(({ id, url, verdict, tags }) => ({ id, url, verdict, tags }))
    expect(facts(await rows(opened))).toEqual(facts(await rows(from)))
    await opened.close()
  })
})
