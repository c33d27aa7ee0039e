import { expect, it } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { describePlan, plan } from '#storage/reader/plan.ts'

const EACH = 'delivery d LEFT JOIN analysis a ON a.delivery_id = d.id'
const ANALYSIS = 'analysis a JOIN delivery d ON d.id = a.delivery_id'
const MARKED = 'delivery d CROSS JOIN analysis a ON a.delivery_id = d.id'
const LEAN = 'analysis a'

/** `settles`: when membership stops changing; `rows` and `ids`: the tables from which they are read. */
type Case = readonly [filter: string, strategy: string, settles: string, rows: string, ids: string]
const cases: readonly Case[] = [
  ['', 'everything', 'at once', EACH, EACH],
  ['kind:factura.created', 'rollups', 'analysed', ANALYSIS, LEAN],
  ['kind:factura.created or group:contacts', 'rollups', 'analysed', ANALYSIS, LEAN],
  ['kind:factura.created endpoint:erp', 'rollups', 'analysed', ANALYSIS, ANALYSIS],
  ['endpoint:erp', 'rollups', 'at once', EACH, EACH],
  ['-kind:factura.created', 'rollups', 'analysed', EACH, EACH],
  ['verdict:unjudged', 'rollups', 'analysed', EACH, EACH],
  ['doc:3f2a', 'index', 'analysed', ANALYSIS, LEAN],
  ['is:drift', 'index', 'analysed', ANALYSIS, LEAN],
  ['is:rejected', 'index', 'at once', EACH, EACH],
  ['is:synthetic kind:factura.created', 'index', 'analysed', ANALYSIS, ANALYSIS],
  ['is:late,rejected', 'index', 'analysed', EACH, EACH],
  ['quisqueya', 'text', 'analysed', ANALYSIS, 'search'],
  ['quisqueya kind:factura.created', 'index', 'analysed', ANALYSIS, LEAN],
  ['-quisqueya', 'index', 'analysed', EACH, EACH],
  ['is:pinned', 'volatile', 'never', EACH, EACH],
  ['is:pinned kind:factura.created', 'volatile', 'analysed, never', MARKED, MARKED],
  ['has:attempt kind:factura.created', 'volatile', 'analysed, never', ANALYSIS, LEAN],
  ['attempt:failed,5xx,erp', 'volatile', 'never', EACH, EACH],
  ['tag:urgent', 'volatile', 'never', EACH, EACH],
  ['size:>1kb', 'search', 'at once', EACH, EACH],
  ['status:5', 'search', 'analysed', ANALYSIS, LEAN],
  ['took:>50ms', 'search', 'answered', EACH, EACH],
  ['status:5 answer:404', 'search', 'analysed, answered', ANALYSIS, ANALYSIS],
  ['header.x-foo:bar', 'search', 'at once', EACH, EACH],
  ['finding:event-unknown', 'search', 'analysed', ANALYSIS, LEAN],
  ['is:pinned size:>1kb', 'search', 'never', EACH, EACH],
]
it.each(cases)('a filter has one strategy: %s → %s, settles %s', (filter, strategy, settles, rows, ids) => {
  expect(describePlan(plan(readFilter(filter)))).toMatchObject({ strategy, settles, rows, ids })
})

it('a search knows between which instants its members arrived', () => {
  const received = (filter: string) => describePlan(plan(readFilter(filter))).received
  expect(received('received:2026-11-01T10:00Z..2026-11-01T11:59Z size:>1kb')).toMatch(
    /^2026-11-01T10:00:00\.000Z\.\.2026-11-01T11:59/,
  )
  expect(received('received:2026-11-01T10:00Z.. received:..2026-11-02T00:00Z')).toMatch(
    /^2026-11-01T10:00:00\.000Z\.\.2026-11-02T00:00/,
  )
  expect(received('received:2026-11-01 or size:>1kb')).toBeUndefined()
})
