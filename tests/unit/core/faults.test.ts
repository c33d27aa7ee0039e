import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { FaultRule } from '#contract/faults.ts'
import { FaultBook } from '#core/faults.ts'
import { aRow } from '../../support/delivery-row.ts'
import { treeOf } from '../../support/events.ts'
import { aFault } from '../../support/records.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

beforeEach(() => void vi.useFakeTimers({ now: NOON }))
afterEach(() => void vi.useRealTimers())

/** A delivery with the analysed row `judged`; counts the reads of both rows. */
function delivery(judged: Partial<DeliveryRow> = {}, endpoint = 'default') {
  const asked = { raw: 0, judged: 0 }
  return {
    asked,
    endpoint,
    row(judging: boolean): DeliveryRow {
      asked[judging ? 'judged' : 'raw']++
      return aRow({ receivedAt: NOON * 1000, endpoint, ...(judging ? judged : {}) })
    },
    opened: () => ({
      url: '/',
      headers: () => ['X-Foo', 'Bar'],
      text: () => '{"a":[1,20]}',
      json: () => treeOf('{"a":[1,20]}'),
      findings: () => [],
    }),
  }
}

const book = (...rules: readonly FaultRule[]) => {
  const made = new FaultBook({ now: () => Date.now() })
  for (const one of rules) made.add(one)
  return made
}
/** @returns the code of a refusal, and its path in the parameters */
const refusal = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof AcuseError) return `${error.code} ${error.details?.path ?? error.details?.id}`
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the first rule whose conditions and probability let a delivery through is taken', () => {
  test('rules are looked at in the order in which they were added', () => {
    const faults = book(
      aFault({ endpoint: 'other', effect: { type: 'reset' } }),
      aFault({ probability: 0, effect: { type: 'hang' } }),
      aFault({ effect: { type: 'delay', ms: 5 } }),
      aFault({ effect: { type: 'close-mid-answer' } }),
    )
    expect(faults.decide(delivery())).toEqual({ type: 'delay', ms: 5 })
    expect(faults.list().map(({ matched }) => matched)).toEqual([0, 1, 1, 0])
    expect(faults.list().map(({ applied }) => applied)).toEqual([0, 0, 1, 0])
    expect(faults.decide(delivery({}, 'other'))).toEqual({ type: 'reset' })
  })

  test.each([
    ['kind:factura.*', { kind: 'factura.created' as const }, {}],
    ['group:invoices', { group: 'invoices' as const }, {}],
    ['verdict:>=warning', { verdict: 'invalid' as const }, { verdict: 'valid' as const }],
    ['doc:3f', { documentId: '3F2A' }, { documentId: '4' }],
    ['-kind:factura.created', {}, { kind: 'factura.created' as const }],
    ['verdict:unjudged', {}, { verdict: 'valid' as const }],
  ])('%s is decided by what analysis says', (filter, met, missed) => {
    const faults = book(aFault({ filter }))
    expect(faults.decide(delivery(missed))).toBeNull()
    expect(faults.decide(delivery(met))).not.toBeNull()
    expect(faults.list()[0]?.matched).toBe(1)
  })

  test('what needs no analysis asks for none, and a delivery is judged once for many rules', () => {
    const raw = delivery()
    book(aFault({ filter: '-is:replay endpoint:default' })).decide(raw)
    expect(raw.asked).toEqual({ raw: 1, judged: 0 })
    const elsewhere = delivery()
    book(aFault({ endpoint: 'other', filter: 'kind:dgii.aprobado' })).decide(elsewhere)
    expect(elsewhere.asked).toEqual({ raw: 0, judged: 0 })
    const judged = delivery()
    const never = (filter = '') => aFault({ probability: 0, filter })
    book(never(), never('is:replay or not kind:dgii.aprobado'), never('verdict:unjudged'), never()).decide(
      judged,
    )
    expect(judged.asked).toEqual({ raw: 1, judged: 1 })
  })

  test.each(['ferreteria', 'is:duplicate', 'is:late', 'is:out-of-order', 'is:pinned', '-(a or is:late)'])(
    '%s cannot be told from one delivery and is refused',
    (filter) => {
      const faults = book()
      expect(refusal(() => faults.add(aFault({ filter })))).toBe('bad-filter filter')
      expect(faults.active()).toBe(false)
    },
  )
})

describe('probability is drawn from the seed', () => {
  const fates = (seed: number, probability = 0.3) => {
    const faults = book(aFault({ seed, probability }))
    return Array.from({ length: 2_000 }, () => faults.decide(delivery()) !== null)
  }

  test('the same seed gives the same faults, another one others', () => {
    expect(fates(7)).toEqual(fates(7))
    expect(fates(7)).not.toEqual(fates(8))
  })

  test('as many meet it as it says', () => {
    for (const [probability, least, most] of [
      [0, 0, 0],
      [0.3, 520, 680],
      [1, 2_000, 2_000],
    ] as const) {
      const met = fates(42, probability).filter(Boolean).length
      expect(met).toBeGreaterThanOrEqual(least)
      expect(met).toBeLessThanOrEqual(most)
    }
  })
})

describe('a rule ends', () => {
  test('after the next so many deliveries that match, whether the probability let them through or not', () => {
    const faults = book(
      aFault({ next: 2, probability: 0 }),
      aFault({ next: 1, filter: 'kind:dgii.aprobado' }),
    )
    faults.decide(delivery({}, 'a'))
    expect(faults.list().map(({ id, matched }) => `${id} ${matched}`)).toEqual(['1 1', '2 0'])
    expect(faults.decide(delivery({ kind: 'dgii.aprobado' }))).not.toBeNull()
    expect([faults.list(), faults.active(), faults.decide(delivery())]).toEqual([[], false, null])
  })

  test('at its time by itself, so that the status bar loses it without a delivery coming', () => {
    const faults = book(aFault({ until: NOON + 600_000 }), aFault({ until: NOON + 300_000 }), aFault())
    let told = 0
    faults.onChange(() => told++)
    vi.advanceTimersByTime(299_999)
    expect([told, faults.list().length]).toEqual([0, 3])
    vi.advanceTimersByTime(1)
    expect([told, faults.list().map(({ id }) => id)]).toEqual([1, [1, 3]])
    vi.advanceTimersByTime(300_000)
    expect([told, faults.list().map(({ id }) => id), vi.getTimerCount()]).toEqual([2, [3], 0])
  })

  test('when the clock is set forward, at the next delivery', () => {
    const faults = book(aFault({ until: NOON + 600_000 }))
    vi.setSystemTime(NOON + 600_000)
    expect([faults.decide(delivery()), faults.active()]).toEqual([null, false])
  })

  test('an end months away keeps one timer and waits', () => {
    const faults = book(aFault({ until: NOON + 90 * 86_400_000 }))
    vi.advanceTimersByTime(3_600_000)
    expect([faults.active(), vi.getTimerCount()]).toEqual([true, 1])
  })

  test('an end that is past is refused', () =>
    expect(refusal(() => book(aFault({ until: NOON })))).toBe('bad-params until'))

  test('when it is removed; one that is not there is not found', () => {
    const faults = book(aFault(), aFault())
    expect(faults.remove(1).map(({ id }) => id)).toEqual([2])
    expect([refusal(() => faults.remove(1)), faults.clear()]).toEqual(['not-found 1', []])
    expect(faults.add(aFault()).map(({ id }) => id)).toEqual([3])
  })

  test('and one that was ended by mistake is put back under its id at its place, so that the same rule is the first again', () => {
    const reset = aFault({ effect: { type: 'reset' } })
    const faults = book(reset, aFault(), aFault({ effect: { type: 'hang' } }))
    faults.remove(1)
    expect(faults.decide(delivery())).toEqual({ type: 'status', status: 503 })
    expect(faults.add({ ...reset, id: 1 }).map(({ id }) => id)).toEqual([1, 2, 3])
    expect(faults.decide(delivery())).toEqual({ type: 'reset' })
    // A restored rule keeps its id, ids stay unique, and new rules come last.
    expect(faults.add(aFault()).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    expect(refusal(() => faults.add({ ...aFault(), id: 2 }))).toBe('conflict 2')
    expect(refusal(() => faults.add({ ...aFault(), id: 9 }))).toBe('bad-params id')
  })

  test('with the host, which leaves no timer behind', () => {
    const faults = book(aFault({ until: NOON + 1_000 }))
    faults.close()
    expect([faults.active(), vi.getTimerCount()]).toEqual([false, 0])
  })
})
