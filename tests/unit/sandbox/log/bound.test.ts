import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOG_BOUND } from '#sandbox/log/bound.ts'
import type { NewEntry } from '#sandbox/log/entry.ts'
import { ExecutionLog } from '#sandbox/log/log.ts'
import { openRecords } from '#sandbox/records/records.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const BOUND = { entries: 2_000, events: 5_000 }

function open(bound = BOUND, file = join(tempFolder(), 'service.db')) {
  const db = openRecords(file)
  onTestFinished(() => {
    if (db.isOpen) db.close()
  })
  const log = new ExecutionLog(db, bound)
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

  test('nothing goes while there is room for another batch', () => {
    const { log, fill } = open()
    fill(1, 2_999)
    expect(log.count({})).toBe(2_999)
  })

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

  test('what superseded a lost entry is told for all that are left', () => {
    const { log, fill } = open()
    fill(1, 9_000)
    const lost = log.brief({ order: 'oldest', limit: 10_000, lost: true })
    expect(lost.length).toBeGreaterThan(600)
    for (const { seq, supersededBy } of lost)
      expect(supersededBy).toBe((seq ?? 0) + 7 <= 9_000 ? (seq ?? 0) + 7 : null)
  })

  test('events that reach no subscription do not gather for ever either', () => {
    const { log, db } = open()
    for (let seq = 1; seq <= 9_000; seq += 1)
      log.event({ seq, kind: 'gasto.created', subject: 'one', statusId: null, at: seq })
    log.flush()
    expect(Number(db.prepare('SELECT count(*) AS n FROM events').get()?.n)).toBeLessThan(BOUND.events + 1_500)
  })

  test('tests and plugin events count towards the bound, and towards no count', () => {
    const { log, fill } = open()
    fill(1, 1_000)
    fill(1_001, 4_000, { type: 'test', seq: null })
    expect(log.count({})).toBeLessThan(BOUND.entries + 1_500)
    expect(log.count({ type: 'event' })).toBe(0)
    expect(log.counts()).toEqual({ outcomes: {}, lost: 0 })
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
    expect(log.count({})).toBe(2_500)
    expect(log.counts().lost).toBe(833)
  })
})
