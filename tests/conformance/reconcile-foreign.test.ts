import { describe, expect, test } from 'vitest'
import { DAY_US, foreignLedger, OCTOBER_US } from '../support/foreign-ledger.ts'
import type { ForeignKnobs } from '../support/foreign-service.ts'
import { type ForeignShape, PLAIN_SHAPE } from '../support/foreign-shape.ts'
import { foreignHouse, saidOf, unmatched } from './foreign-house.ts'

const LOSES = (_: unknown, nth: number) => nth % 11 === 3
const DOCUMENTS = foreignLedger({ seed: 5, count: 300 })
const shaped = (shape: Partial<ForeignShape>): Partial<ForeignKnobs> => ({
  shape: { ...PLAIN_SHAPE, ...shape },
})

describe('a service that shares nothing with the sandbox', () => {
  test('what was lost is found, and nothing else, whatever the shape of its items and pages', async () => {
    const { reconcile, truth, service } = await foreignHouse(DOCUMENTS, {}, LOSES)
    const shapes: Readonly<Record<string, Partial<ForeignKnobs>>> = {
      plain: {},
      flat: shaped({ nesting: 'flat', spelling: 'camel' }),
      'flat in data': shaped({ nesting: 'data', spelling: 'snake' }),
      'all inside Accounting': shaped({ nesting: 'inside', spelling: 'UPPER' }),
      wrapped: shaped({ wrapper: 'Document' }),
      'wrapped and flat': shaped({ wrapper: 'Record', nesting: 'flat', spelling: 'kebab' }),
      'ids in braces': shaped({ ids: 'braces' }),
      'ids without dashes': shaped({ ids: 'bare' }),
      'another offset': shaped({ offset: 330, precision: 'tick' }),
      'ends left out': { from: 'exclusive', largestPage: 90 },
      'cut to seconds': { resolution: 1_000_000, largestPage: 70, pageNames: 'Pascal' },
      descending: { order: 'descending', largestPage: 100 },
      shuffled: { order: 'shuffled', largestPage: 100 },
      'failing now and then': {
        largestPage: 100,
        fault: (nth) => (nth === 1 ? { status: 500 } : nth === 2 ? 'truncated' : nth === 4 ? 'reset' : null),
      },
    }
    for (const [name, knobs] of Object.entries(shapes)) {
      service.turn(knobs)
      const { result, stderr } = await reconcile()
      expect([name, stderr, result.complete]).toEqual([name, '', true])
      expect([name, saidOf(result)]).toEqual([name, unmatched(truth)])
    }
  }, 120_000)

  test('an ordinary service is asked for hardly more than its pages', async () => {
    const documents = foreignLedger({ seed: 6, count: 4_000 })
    const { reconcile, service } = await foreignHouse(documents, {}, () => true)
    const { result } = await reconcile()
    expect([result.complete, result.items]).toEqual([true, 4_000])
    expect(service.asked.length).toBeLessThanOrEqual(1.05 * 20 + 3)
  }, 60_000)
})

describe('dates without an offset (readings, accounting-sync)', () => {
  const busy = (n: number) => OCTOBER_US + 4 * DAY_US + n * 30_000_000
  const documents = foreignLedger({ seed: 7, count: 2_600, issued: busy })
  test.each(['none', 'offset'] as const)(
    'a busy day takes as many requests with them as without (%s)',
    async (zone) => {
      const { reconcile, service } = await foreignHouse(
        documents,
        shaped({ zone, precision: 'second' }),
        () => true,
      )
      const { result, stderr } = await reconcile()
      expect([stderr, result.complete, result.items]).toEqual(['', true, 2_600])
      expect(service.asked.length).toBeLessThanOrEqual(17)
    },
    60_000,
  )

  test('a date alone: time within the day parts what a page does not hold', async () => {
    const { reconcile, service } = await foreignHouse(documents, shaped({ precision: 'day' }), () => true)
    const { result, stderr } = await reconcile()
    expect([stderr, result.complete, result.items]).toEqual(['', true, 2_600])
    expect(service.asked.length).toBeLessThanOrEqual(40)
  }, 60_000)
})

describe('more documents on one date than a page holds (readings, accounting-sync)', () => {
  const at = OCTOBER_US + 4 * DAY_US
  const SMALL: Readonly<Record<number, number>> = { 31: 1, 32: 2, 33: 3, 34: 4, 43: 5 }
  const books = (count: number) => {
    const crowd = {
      seed: 8,
      issued: () => at,
      codes: [31, 32, 33, 34],
      typeOf: (code: number) => SMALL[code] ?? 9,
    }
    const [unseen] = foreignLedger({ ...crowd, count: 1, codes: [43], seed: 9 })
    const seen = foreignLedger({ ...crowd, count: count - 1 })
    if (!unseen) throw new Error('no document')
    // No page shows it: the service lists it behind all others.
    return [...seen, { ...unseen, id: 'ffffffff-0000-4000-a000-000000000000', number: 'E430000099999' }]
  }

  test.each([622, 1_900])(
    '%i on one date, one of them of a type that nothing shows: incomplete, with date and count',
    async (count) => {
      const documents = books(count)
      const unseen = documents.at(-1)?.id
      // Captures show the other types; the creation of the unseen one was lost, with all that followed.
      const { reconcile, acuse } = await foreignHouse(
        documents,
        {},
        ({ document }, nth) => document.id === unseen || nth >= 60,
      )
      const { code, result, stderr } = await reconcile()
      expect([code, result.complete, result.items]).toEqual([3, false, count - 1])
      expect(stderr).toContain(`2026-10-05T00:00:00.000000-04:00`)
      expect(stderr).toContain(`${count - 1} were found`)
      expect(stderr).toContain('--types-complete yes')

      const types = ['--document-types', '1=factura,2=factura,3=nota_debito,4=nota_credito,5=gasto']
      const set = await acuse(['connections', 'set', 'erp', ...types, '--types-complete', 'yes'])
      expect([set.code, set.stderr]).toEqual([0, 'Connection erp changed.\n'])
      const whole = await reconcile()
      expect([whole.result.complete, whole.result.items]).toEqual([true, count])
      expect(saidOf(whole.result).has(unseen ?? '')).toBe(true)
    },
    60_000,
  )

  test('a list that leaves a type out is not believed', async () => {
    const { reconcile, acuse } = await foreignHouse(books(622), {}, () => true)
    const refused = await acuse(['connections', 'set', 'erp', '--types-complete', 'yes'])
    expect([refused.code, refused.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('lists no document types'),
    ])
    const types = ['--document-types', '1=factura,2=factura,3=nota_debito', '--types-complete', 'yes']
    await acuse(['connections', 'set', 'erp', ...types])
    const { result } = await reconcile()
    expect(result.complete).toBe(false)
  }, 60_000)
})

describe('items that cannot be read by themselves', () => {
  test('nothing of them is called missing, nor is what was captured called webhook only', async () => {
    const { reconcile, service } = await foreignHouse(DOCUMENTS, {}, LOSES)
    const spoils: readonly ForeignKnobs['spoil'][] = [
      () => 'null',
      (_, item) => `{"A":{"B":${item}},"C":1}`,
      ({ id }) => `{"Key":"${id}","Accounting":{"Total":1}}`,
    ]
    for (const spoil of spoils) {
      service.turn({ spoil })
      const { code, result, stderr } = await reconcile()
      expect([code, result.complete]).toEqual([3, false])
      expect([result.counts.missing, result.counts.webhookOnly]).toEqual([0, 0])
      expect(stderr).toContain('acuse connections test')
      expect(stderr).toContain('--map documentId=')
    }
  }, 60_000)

  test('ids that no event carries, and no creation captured: voids and answers of the authority may be theirs', async () => {
    const { reconcile } = await foreignHouse(DOCUMENTS, shaped({ ids: 'other' }), ({ kind }) =>
      /[.](created|updated)$/.test(kind),
    )
    const { result } = await reconcile()
    expect(new Set(result.rows.flatMap(({ missed }) => missed.map(({ rule }) => rule)))).toEqual(
      new Set(['no-created']),
    )
  }, 60_000)

  test('ids that no event carries: joined by Number, which is said; what carries no Number is never missed', async () => {
    const { reconcile, truth } = await foreignHouse(DOCUMENTS, shaped({ ids: 'other' }), LOSES)
    const { result, stderr } = await reconcile()
    expect([result.complete, result.counts.webhookOnly]).toEqual([true, 0])
    expect(stderr).toContain('joined by Number')
    expect(result).toMatchObject({ joinedByNumber: true })
    const provable = new Set(['no-created', 'values-differ'])
    const numbers = new Map(DOCUMENTS.map(({ id, number }) => [id, number]))
    const wanted = [...truth].flatMap(([id, { rules }]) =>
      rules.filter((rule) => provable.has(rule)).map((rule) => `${numbers.get(id)} ${rule}`),
    )
    const got = result.rows.flatMap(({ number, missed }) => missed.map(({ rule }) => `${number} ${rule}`))
    expect(got.sort()).toEqual(wanted.sort())
  }, 60_000)

  test('fields flat on the item under a name that hides them are found by the root pointer', async () => {
    const { reconcile, service, acuse, truth } = await foreignHouse(DOCUMENTS, {}, LOSES)
    // A member called accounting that is something else altogether.
    service.turn({
      ...shaped({ nesting: 'flat' }),
      spoil: (_, item) => item.replace('{', '{"Accounting":{"Ledger":7},'),
    })
    const set = await acuse(['connections', 'set', 'erp', '--map', 'accounting='])
    expect([set.code, set.stderr]).toEqual([0, 'Connection erp changed.\n'])
    expect((await acuse(['connections', 'list'])).stdout).toContain('accounting on the item')
    const { result } = await reconcile()
    expect([result.complete, saidOf(result)]).toEqual([true, unmatched(truth)])
  }, 60_000)
})
