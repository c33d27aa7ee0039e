import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { ATTEMPT_STATES, MARKS } from '#contract/values.ts'
import { matches } from '#core/filter/matches.ts'
import { MOST_CONDITIONS, parseFilter } from '#core/filter/parse.ts'
import type { Filter } from '#core/filter/tree.ts'
import { asciiLower } from '#core/filter/values.ts'
import { allowOpening } from '#storage/body/opened.ts'
import { fromMembers, NO_END } from '#storage/reader/members.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { DERIVED_SCHEMA } from '#storage/schema/derived.ts'
import { ATTEMPTS } from '#storage/sql/attached.ts'
import { MARK_BITS, verdictRank } from '#storage/sql/columns.ts'
import { raw, Statements } from '#storage/sql/connection.ts'
import { compileFilter } from '#storage/sql/filter-sql.ts'
import { aRow } from '../../support/delivery-row.ts'
import { forAll } from '../../support/for-all.ts'
import { anyFilter, deliveryRow, filterWithoutText } from '../core/filter/arbitraries.ts'

/** Inserted columns; later ones have their defaults. */
const DELIVERY =
  'id, received_at, receiving_us, took_us, endpoint, method, url, http_version, remote_address, remote_port, size, stored_bytes, answer_status, answer_id, rejected, malformed, upload, answered_by, synthetic'

const FROM = 'delivery d LEFT JOIN analysis a ON a.delivery_id = d.id'

/** A store's tables in memory, captured and derived ones together, as in a query. */
function schema(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const step of CAPTURED_MIGRATIONS) db.exec(step)
  db.exec(DERIVED_SCHEMA)
  db.exec(`CREATE TABLE attempt (${ATTEMPTS.columns}); CREATE TABLE missed (key TEXT)`)
  allowOpening(db, new Statements(db))
  return db
}

function write(db: DatabaseSync, rows: readonly DeliveryRow[]): void {
  const delivery = db.prepare(
    `INSERT INTO delivery (${DELIVERY}) VALUES (?, ?, 0, ?, ?, ?, '/', '1.1', '::1', 1, ?, 0, ?, NULL, ?, ?, NULL, NULL, ?)`,
  )
  const analysis = db.prepare(
    `INSERT INTO analysis (delivery_id, kind, "group", document_id, document_key, number, status_id, verdict, finding_count, marks, endpoint)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
  )
  const attempt = db.prepare(
    'INSERT INTO attempt (id, delivery_id, state, ok, status) VALUES (?, ?, ?, ?, ?)',
  )
  const pin = db.prepare('INSERT INTO pin VALUES (?)')
  const imported = db.prepare('INSERT INTO imported VALUES (?, 0)')
  const drift = db.prepare(
    "INSERT INTO drift (delivery_id, kind_no, at, code, pointer, place, was, seen, since) VALUES (?, 1, 0, 'gone', '', '', '', 0, 0)",
  )
  const note = db.prepare("INSERT INTO note (delivery_id, text, at) VALUES (?, 'x', 0)")
  const tag = db.prepare('INSERT INTO tag VALUES (?, ?)')
  for (const row of rows) {
    const { id, endpoint, rejected, malformed, kind, group, documentId, verdict, marks } = row
    const facts = [row.receivedAt, row.tookUs, endpoint, row.method, row.size, row.answer]
    delivery.run(id, ...facts, Number(rejected), malformed, Number(marks.includes('synthetic')))
    const last = row.lastAttempt
    if (last) {
      // Only the latest attempt counts; the one before has the opposite result.
      attempt.run(id * 2, id, 1, Number(last.ok !== true), last.ok === true ? 500 : 200)
      const ok = last.ok === null ? null : Number(last.ok)
      attempt.run(id * 2 + 1, id, ATTEMPT_STATES.indexOf(last.state), ok, last.status)
    }
    const bits = MARKS.reduce((sum, mark) => {
      const apart = mark === 'pinned' || mark === 'synthetic' || mark === 'imported' || mark === 'drift'
      return sum + (!apart && marks.includes(mark) ? MARK_BITS[mark] : 0)
    }, 0)
    const key = documentId === null ? null : asciiLower(documentId)
    if (verdict !== null) {
      const said = [kind, group, documentId, key, row.number, row.statusId]
      analysis.run(id, ...said, verdictRank(verdict), bits, endpoint)
    }
    if (marks.includes('imported')) imported.run(id)
    if (marks.includes('pinned')) pin.run(id)
    if (marks.includes('drift')) drift.run(id)
    if (row.note) note.run(id)
    for (const one of row.tags) tag.run(id, one)
  }
}

const select = (db: DatabaseSync, filter: Filter): number[] => {
  const members = fromMembers({ from: FROM, id: 'd.id', where: compileFilter(filter) }, 0, NO_END)
  return new Statements(db).numbers`SELECT d.id ${members} ORDER BY d.id`
}

const parsed = (text: string): Filter => {
  const found = parseFilter(text)
  if (!found.ok) throw new Error(found.code)
  return found.filter
}

it('SQL and predicate agree: on random rows and filters without text, unjudged rows and nested denials included', () =>
  forAll(
    150,
    [fc.array(deliveryRow, { maxLength: 25 }), fc.array(filterWithoutText, { minLength: 1, maxLength: 8 })],
    (raw, filters) => {
      const rows = raw.map((row, index) => ({ ...row, id: index + 1 }))
      const db = schema()
      write(db, rows)
      for (const filter of filters) {
        const expected = rows.filter((row) => matches(filter, row) === true).map(({ id }) => id)
        expect(select(db, filter)).toEqual(expected)
        const others = rows.filter(({ id }) => !expected.includes(id)).map(({ id }) => id)
        expect(select(db, { type: 'not', not: filter })).toEqual(others)
      }
      db.close()
    },
  ))

it('SQL and predicate agree: compiled text never holds a value, and SQLite takes every filter, whatever its text', () => {
  const db = schema()
  forAll(500, [anyFilter], (filter) => {
    const { text, values } = compileFilter(filter)
    expect(text.match(/\?/g) ?? []).toHaveLength(values.length)
    expect(text).toMatch(/^[A-Za-z_.,?()<>=&"013 \\':]*$/)
    select(db, filter)
  })
  db.close()
})

describe('text', () => {
  const texts: readonly (string | null)[] = [
    'E310000000001 Ferretería Tres Marías',
    'E310000000002 Colmado "El Sol" (Ñame) O\'Hara',
    'or not and NEAR 3f2a0000-0000-4000-8000-000000000001',
    null,
  ]
  const db = schema()
  texts.forEach((text, index) => {
    write(db, [aRow({ id: index + 1 })])
    if (text !== null) db.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)').run(index + 1, text)
  })
  afterAll(() => db.close())

  const cases: readonly (readonly [filter: string, ids: readonly number[]])[] = [
    ['E31', [1, 2]],
    ['ferreteria', [1]],
    ['MARÍ', [1]],
    ['"marí"', []],
    ['"marí"*', [1]],
    ['"tres marías"', [1]],
    ['"marías tres"', []],
    ['marías tres', [1]],
    ['nam', [2]],
    ['"or"', [3]],
    ['"NEAR"', [3]],
    ['3f2a0000-0000-4000', [3]],
    ["o'h", [2]],
    ['sol or tres', [1, 2]],
    ['-e31', [3, 4]],
    ['-(sol or tres)', [3, 4]],
    ['-(e31 tres)', [2, 3, 4]],
    ['-sol -tres', [3, 4]],
    ['sol -tres', [2]],
    ['e31 verdict:unjudged', [1, 2]],
    ['"sol*"', [2]],
    ['"sol\0uno"', []],
    ['sol^2', []],
  ]
  it.each(cases)('%j', (filter, ids) => expect(select(db, parsed(filter))).toEqual(ids))
  it('text without a letter or digit asks for nothing', () => {
    const nothing: Filter = { type: 'text', text: '"--"', exact: true }
    expect(select(db, nothing)).toEqual([1, 2, 3, 4])
    expect(select(db, { type: 'and', all: [nothing, parsed('sol')] })).toEqual([2])
    expect(select(db, { type: 'not', not: nothing })).toEqual([])
  })
  it('words side by side are one look-up', () => {
    const { text, values } = compileFilter(parsed('tres -sol "el sol" kind:factura.*'))
    expect(text.match(/MATCH/g)).toHaveLength(2)
    expect(values).toContain('"tres" * AND "el sol"')
  })
})

describe('size', () => {
  const db = schema()
  afterAll(() => db.close())
  it('the longest filter that parses is within what SQLite takes', () => {
    for (const one of ['a', '-a', 'is:late', 'kind:*', 'a or', '-a or'])
      expect(select(db, parsed(`${`${one} `.repeat(MOST_CONDITIONS - 1)}a`))).toEqual([])
    expect(select(db, parsed(`${'-('.repeat(50)}is:late${')'.repeat(50)}`))).toEqual([])
  })
  it('a condition without "not" is served by its index', () => {
    const plan = (text: string) => {
      const steps = new Statements(db)
        .all`EXPLAIN QUERY PLAN SELECT d.id FROM ${raw(FROM)} WHERE ${compileFilter(parsed(text))}`
      return steps.map((step) => step.detail).join('; ')
    }
    expect(plan('kind:factura.created')).toContain('analysis_kind')
    expect(plan('verdict:>=invalid')).toContain('analysis_verdict')
    expect(plan('doc:3f2a')).toContain('analysis_document')
    expect(plan('ferreteria')).toContain('VIRTUAL TABLE')
  })
})
