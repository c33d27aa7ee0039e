import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { ExecutionLog, LOG_BOUND } from '#sandbox/log/log.ts'
import type { NewEntry } from '#sandbox/log/query.ts'
import { openRecords, supersedes } from '#sandbox/sandbox.ts'
import { runningSandbox, subscribedSandbox } from '../../../support/running-sandbox.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

async function filled(count = 25) {
  const service = await subscribedSandbox({ name: 'ERP' }, (_, response) => response.end('Recibido'))
  const { body } = await service.client.admin('POST', '/emit', { kind: 'factura.created', count })
  await service.client.ended(body.run)
  const log = async (query: string) => (await service.client.admin('GET', `/log?${query}`)).body
  return { ...service, log }
}

describe('the execution log', () => {
  test('is searched as text, whatever its case, and by its fields', async () => {
    const { log } = await filled(12)
    const total = async (query: string) => (await log(query)).total
    const { subject } = (await log('')).entries[6]
    expect([await total(`q=${subject.toUpperCase()}`), await total('q=recibido')]).toEqual([1, 12])
    expect(await total('q=fact%25created')).toBe(0)
    expect(await total(`q=${subject.replaceAll('-', '_')}`)).toBe(0)
    expect(await total("q=' OR 1=1 --")).toBe(0)
    const fields = 'kind=factura.created&outcome=delivered&subscription=1&type=event&lost=false'
    expect(await total(fields)).toBe(12)
    expect([await total(`subject=${subject}`), await total('lost=true')]).toEqual([1, 0])
  })

  test('its counts are those of its entries, also after a restart', async () => {
    const file = join(tempFolder(), 'sandbox.db')
    const { client, sandbox } = await subscribedSandbox({}, undefined, { file })
    const shares = { lose: { share: 0.3 }, duplicate: { share: 0.5 }, cut: { share: 0.2 } }
    await client.admin('PUT', '/laboratory', shares)
    const { body } = await client.admin('POST', '/emit', { kind: 'factura.created', count: 60 })
    const entries = await client.ended(body.run)
    await client.admin('POST', '/subscriptions/1/test')
    const outcomes: Record<string, number> = {}
    for (const { outcome } of entries) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    const counted = { outcomes, lost: entries.filter(({ lost }) => lost).length }
    expect(counted.outcomes.cut).toBeGreaterThan(counted.lost - (counted.outcomes.lost ?? 0))
    expect((await client.admin('GET', '/state')).body.log).toEqual(counted)
    await sandbox.close()
    const again = await runningSandbox({ file })
    expect((await again.client.admin('GET', '/state')).body.log).toEqual(counted)
  })

  test('an entry tells the status and the document of its event, one that only names its id too', async () => {
    const { client } = await subscribedSandbox({}, undefined)
    const entryOf = async (path: string, content: object) => {
      const { body } = await client.admin('POST', path, content)
      return (await client.ended(body.run))[0]
    }
    const known = {
      number: expect.stringMatching(/^E\d{12}$/),
      party: expect.stringMatching(/.{3}/),
      total: expect.stringMatching(/^\d+\.\d\d$/),
      currency: expect.any(String),
    }
    for (const [kind, statusId] of [
      ['factura.created', 1],
      ['factura.updated', 1],
      ['dgii.rechazado', 6],
      ['nota_credito.anulated', null],
    ] as const)
      expect(await entryOf('/emit', { kind })).toMatchObject({ kind, statusId, document: known })
    expect(await entryOf('/emit', { kind: 'customer.created' })).toMatchObject({
      statusId: null,
      document: null,
    })
    const body = '{"data":{"DocumentId":"d-1","Number":"X","Accounting":{"Total":12.50}}}'
    expect(await entryOf('/send', { kind: 'factura.created', body })).toMatchObject({
      document: { number: 'X', party: null, total: '12.50', currency: null },
    })
    expect(await entryOf('/send', { kind: 'factura.created', body: '[1]' })).toMatchObject({ document: null })
  })

  test('wrong queries get a sentence', async () => {
    const { client } = await filled(1)
    for (const query of words(
      'limit=0 limit=1001 limit=x order=up outcome=fine colour=red brief=yes after=-1 q=',
    ))
      expect(await client.admin('GET', `/log?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad-input', message: expect.stringMatching(/\.$/) } },
      })
    expect((await client.admin('GET', '/log/2')).status).toBe(404)
    expect((await client.admin('GET', '/log/x')).status).toBe(400)
  })
})

describe('a lost event is superseded when a later one of the same subject left no trace of it', () => {
  test.each<[lost: string, status: number | null, later: string, laterStatus: number | null, is: boolean]>([
    ['factura.updated', 1, 'factura.updated', 1, true],
    ['nota_credito.updated', 1, 'nota_credito.updated', 1, true],
    ['factura.updated', 1, 'factura.anulated', null, false],
    ['factura.updated', 1, 'dgii.aprobado', 5, false],
    ['dgii.en_proceso', 7, 'dgii.aprobado', 5, true],
    ['dgii.en_proceso', 7, 'dgii.en_proceso', 7, true],
    ['dgii.rechazado', 6, 'factura.updated', 1, true],
    ['dgii.aprobado', 5, 'factura.updated', 5, false],
    ['dgii.aprobado', 5, 'factura.anulated', null, false],
    ['factura.created', 1, 'factura.updated', 1, false],
    ['customer.updated', null, 'customer.updated', null, true],
    ['customer.updated', null, 'customer.deactivated', null, false],
  ])('%s (%s) by %s (%s): %s', (lost, statusId, later, laterStatus, is) =>
    expect(supersedes({ kind: lost, statusId }, { kind: later, statusId: laterStatus })).toBe(is),
  )

  test('nothing that is created, voided or deactivated is ever superseded', () => {
    for (const { kind } of KINDS)
      for (const later of KINDS)
        if (/\.(?:created|anulated|deactivated)$/.test(kind))
          expect(supersedes({ kind, statusId: 1 }, { kind: later.kind, statusId: 2 })).toBe(false)
  })

  test('the log tells by which event, whether or not that one arrived', async () => {
    const { client } = await subscribedSandbox({ kinds: ['dgii.en_proceso', 'factura.created'] })
    await client.admin('PUT', '/laboratory', { lose: { share: 1 } })
    const perform = async (name: string, id?: string) =>
      (await client.admin('POST', `/operations/${name}`, { id })).body.id
    const [one, other] = [await perform('create-invoice'), await perform('create-invoice')]
    for (const id of [one, other]) {
      await perform('submit', id)
      await perform('poll', id)
    }
    await perform('approve', one)
    const { entries } = (await client.admin('GET', '/log')).body
    const by = Object.fromEntries(
      entries.map((one: { seq: number; supersededBy: number }) => [one.seq, one.supersededBy]),
    )
    expect(by).toEqual({ 1: null, 2: null, 3: 5, 4: null })
    expect((await client.admin('GET', '/log?superseded=true')).body.total).toBe(1)
    expect((await client.admin('GET', '/log?lost=true&superseded=false')).body.total).toBe(3)
  })
})

const BOUND = { entries: 2_000, events: 5_000 }

function open(bound = BOUND, file = join(tempFolder(), 'service.db')) {
  const db = openRecords(file)
  onTestFinished(() => {
    if (db.isOpen) db.close()
  })
  const log = new ExecutionLog(db, undefined, bound)
  const fill = (from: number, to: number, change: Partial<NewEntry> = {}) => {
    for (let seq = from; seq <= to; seq += 1) {
      log.event({ seq, kind: 'factura.updated', subject: `document ${seq % 7}`, statusId: null, at: seq })
      log.entry(anEntry(seq, change))
    }
    log.flush()
  }
  return { db, file, log, fill }
}

const anEntry = (seq: number, change: Partial<NewEntry>): NewEntry => ({
  ...{
    type: 'event',
    run: null,
    seq,
    kind: 'factura.updated',
    subject: `document ${seq % 7}`,
    cause: 'test',
  },
  ...{ target: { id: 1, name: 'ERP' }, outcome: seq % 3 === 0 ? 'lost' : 'delivered', lost: seq % 3 === 0 },
  ...{ laboratory: [], error: null, at: seq, durationMs: 1, method: 'POST', url: 'http://127.0.0.1/' },
  ...{ requestHead: 'POST / HTTP/1.1', requestBody: Buffer.from(`{"n":${seq}}`), answer: null },
  ...change,
})

describe('the execution log keeps the newest entries (docs/guide/sandbox.md)', () => {
  test('its bound is the one that the guide states', () => expect(LOG_BOUND.entries).toBe(100_000))

  test('beyond it the oldest go, the newest stay without a gap, and the counts are those of what is left', () => {
    const { log, fill } = open()
    fill(1, 7_300)
    const left = log.brief({ order: 'oldest', limit: 10_000 })
    expect(left.length).toBeGreaterThanOrEqual(BOUND.entries)
    expect(left.length).toBeLessThan(BOUND.entries + 1_500)
    expect(left.map(({ seq }) => seq)).toEqual(left.map((_, i) => 7_300 - left.length + 1 + i))
    expect(log.count({ q: '"n":12}' })).toBe(0)
    const lost = left.filter((entry) => entry.lost).length
    expect(log.counts()).toEqual({ outcomes: { lost, delivered: left.length - lost }, lost })
  })

  test('tests and plugin events count towards the bound, and towards no count', () => {
    const { log, fill } = open()
    fill(1, 1_000)
    fill(1_001, 4_000, { type: 'test', seq: null })
    expect(log.count({})).toBeLessThan(BOUND.entries + 1_500)
    expect([log.count({ type: 'event' }), log.counts()]).toEqual([0, { outcomes: {}, lost: 0 }])
  })

  test('a log that has grown longer before is brought down batch by batch, and after it was emptied begins anew', () => {
    const { db, file, fill } = open({ entries: 100_000, events: 100_000 })
    fill(1, 12_000)
    db.close()
    const { log, fill: more } = open(BOUND, file)
    for (let seq = 12_001; seq <= 12_020; seq += 1) more(seq, seq)
    const left = log.count({})
    expect(left).toBeGreaterThanOrEqual(BOUND.entries)
    expect(left).toBeLessThan(BOUND.entries + 1_000)
    log.clear()
    more(1, 2_500)
    expect(log.brief({ order: 'oldest', limit: 1 })).toMatchObject([{ seq: 1 }])
    expect([log.count({}), log.counts().lost]).toEqual([2_500, 833])
  })
})
