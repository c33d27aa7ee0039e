import { describe, expect, it } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { matches } from '#core/filter/matches.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { aRow } from '../../../support/delivery-row.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'
import { anyFilter, deliveryRow } from './arbitraries.ts'

const UNJUDGED = aRow({ endpoint: 'erp', note: true, tags: ['oct', 'urgent'] })
const JUDGED: DeliveryRow = {
  ...UNJUDGED,
  ...{ kind: 'factura.created', group: 'invoices', documentId: '3F2A0000-0000-4000-8000-000000000001' },
  ...{ verdict: 'warning', marks: ['late', 'pinned'] },
}
const REJECTED = aRow({ rejected: true, malformed: 'cut-off' })

const ask = (text: string, row: DeliveryRow) => {
  const parsed = parseFilter(text)
  return parsed.ok ? matches(parsed.filter, row) : parsed.code
}

describe('a row belongs to the set', () => {
  it('what a sweep missed only the store knows, of what has no document it is known', () => {
    expect([ask('is:missed', JUDGED), ask('is:missed,late', JUDGED)]).toEqual(['unknown', true])
    expect([ask('is:missed', UNJUDGED), ask('-is:missed', UNJUDGED)]).toEqual([false, true])
  })

  it.each([
    ...words`
      kind:factura.* group:invoices,dgii verdict:>=warning doc:3f2a doc:3F2A0000-0000-4000-8000-000000000001
      endpoint:erp is:late is:duplicate,pinned has:note has:attempt,tag tag:urgent tag:URG* tag:nope,o*t
      -is:rejected
    `,
    'verdict:valid or endpoint:erp',
    '',
  ])('%j', (text) => expect(ask(text, JUDGED)).toBe(true))

  it.each(words`
    kind:dgii.* -kind:factura.created verdict:unjudged doc:3f2b is:malformed has:attempt tag:urg -tag:*
    -*
  `)('not to %j', (text) => expect(ask(text, JUDGED)).toBe(false))
  it.each(words`-kind:factura.* -group:invoices -verdict:>=valid -doc:* -is:late verdict:unjudged`)(
    'before it is judged, to %j',
    (text) => expect(ask(text, UNJUDGED)).toBe(true),
  )
  it('is:rejected and is:malformed do not need the analysis', () =>
    expect(ask('is:rejected is:malformed', REJECTED)).toBe(true))
})

describe('text needs the index', () => {
  it.each([
    ['foo', 'unknown'],
    ['-foo', 'unknown'],
    ['foo kind:factura.*', 'unknown'],
    ['foo kind:dgii.*', false],
    ['foo or kind:factura.*', true],
    ['foo or kind:dgii.*', 'unknown'],
  ])('%j is %s', (text, answer) => expect(ask(text, JUDGED)).toBe(answer))

  it('a filter and its denial never agree', () =>
    forAll(100, [anyFilter, deliveryRow], (filter, row) => {
      const one = matches(filter, { ...row, id: 1 })
      const other = matches({ type: 'not', not: filter }, { ...row, id: 1 })
      expect(other).toBe(one === 'unknown' ? one : !one)
    }))
})
