import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateTimeLike } from '#catalog/date-time.ts'
import { advance, beginWalk, isComplete, nextRequest } from '#core/reconcile/paging.ts'
import { unreachedBy } from '#core/reconcile/sweep-walk.ts'
import { type PageFacts, unreached, type Walk } from '#core/reconcile/walk.ts'
import { runs } from '../../../support/depth.ts'
import { microsOf } from '../../../support/events.ts'

type Document = { readonly id: number; readonly at: number; readonly type: number }
const ORDERS = ['ascending', 'descending', 'jumbled', 'shuffled'] as const
interface Service {
  readonly documents: readonly Document[]
  /** Resolution in microseconds to which the service truncates dates before comparing. */
  readonly resolution?: number
  /** Resolution in microseconds of the dates in items. */
  readonly unit?: number
  /** `jumbled`: pages rise, the items within one do not. `shuffled`: no order at all. */
  readonly order?: (typeof ORDERS)[number]
  readonly largestPage?: number
  readonly without?: 'from' | 'to' | 'both' | 'none'
}

const DAY = 86_400_000_000
const START = Date.UTC(2026, 9, 1, 4) * 1_000
const END = START + 31 * DAY - 1
const mixed = (a: Document, b: Document) => ((a.id * 7919) % 104_729) - ((b.id * 7919) % 104_729)

/** A service that follows the specification, with a choice for each open point. */
function answer(service: Service, request: NonNullable<ReturnType<typeof nextRequest>>): PageFacts {
  const { resolution = 1, unit = 1, order = 'ascending', largestPage = 500, without = 'none' } = service
  // Days begin at the service's midnight, four hours west of UTC.
  const cut = (instant: number, by = resolution) => Math.floor((instant - START) / by) * by + START
  const [from, to] = [cut(microsOf(request.from)), cut(microsOf(request.to))]
  const inRange = service.documents
    .filter(({ at }) => cut(at) > from || (cut(at) === from && without !== 'from' && without !== 'both'))
    .filter(({ at }) => cut(at) < to || (cut(at) === to && without !== 'to' && without !== 'both'))
    .filter(({ type }) => (request.documentTypeId ?? type) === type)
    .sort((a, b) => cut(a.at) - cut(b.at) || a.id - b.id)
  const ordered =
    order === 'descending' ? inRange.toReversed() : order === 'shuffled' ? inRange.toSorted(mixed) : inRange
  const page = ordered.slice(0, Math.min(request.pageSize, largestPage))
  return {
    hasMore: ordered.length > page.length,
    items: (order === 'jumbled' ? page.toSorted(mixed) : page).map(({ id, at, type }) => ({
      key: String(id),
      issued: { instant: cut(at, unit), text: dateTimeLike(cut(at, unit), '-04:00'), unit },
      documentType: type,
    })),
  }
}

interface Sweep {
  readonly pageSize?: number
  readonly types?: readonly number[]
  readonly stated?: readonly number[] | null
  readonly documentTypeId?: number | null
  readonly onPage?: (found: ReadonlySet<string>, walk: Walk) => void
}

const begun = ({ pageSize = 200, types = [], stated = null, documentTypeId = null }: Sweep = {}): Walk => {
  const [from, to] = [dateTimeLike(START, '-04:00'), dateTimeLike(END, '-04:00')]
  return beginWalk({ from, to, fromInstant: START, toInstant: END, documentTypeId, pageSize }, types, stated)
}

function sweep(service: Service, options: Sweep = {}) {
  let walk = begun(options)
  const found = new Set<string>()
  let requests = 0
  for (let request = nextRequest(walk); request; request = nextRequest(walk)) {
    if (++requests > 5_000) throw new Error('it loops')
    const page = answer(service, request)
    for (const { key } of page.items) found.add(key)
    // Serialise between pages, as across a restart.
    walk = JSON.parse(JSON.stringify(advance(walk, page))) as Walk
    options.onPage?.(found, walk)
  }
  return { found, walk, requests, complete: isComplete(walk) }
}

function always(page: PageFacts) {
  let walk = begun()
  let requests = 0
  for (; nextRequest(walk); requests++) {
    if (requests > 5_000) throw new Error('it loops')
    walk = advance(walk, page)
  }
  return { walk, requests, complete: isComplete(walk) }
}

const documents = (count: number, at: (i: number) => number, type = (i: number) => 31 + (i % 4)) =>
  Array.from({ length: count }, (_, i) => ({ id: i + 1, at: at(i), type: type(i) }))
const spread = (count: number) =>
  documents(
    count,
    (i) => START + 1_000_000 + Math.floor((i * (END - START - 1_000_000)) / count / 1_000) * 1_000,
  )
const TYPES = [31, 32, 33, 34]

describe('a walk over accounting-sync (readings, accounting-sync)', () => {
  it('asks an ordinary service for hardly more than its pages', () => {
    const { found, complete, requests } = sweep({ documents: spread(20_000) })
    expect([found.size, complete]).toEqual([20_000, true])
    expect(requests).toBeLessThanOrEqual(1.05 * 100)
  })

  it.each(ORDERS)('left off after any page, what it did not list lies where it says (%s)', (order) => {
    const listed = [...spread(900), ...shifted(documents(700, () => START + 9_000_000_000))]
    const cut = (instant: number) => Math.floor(instant / 1_000) * 1_000
    let looked = 0
    const onPage = (found: ReadonlySet<string>, walk: Walk) => {
      const spans = unreached(walk)
      const lost = listed.filter(
        ({ id, at }) =>
          !found.has(String(id)) && !spans.some(({ from, to }) => cut(at) >= cut(from) && cut(at) <= to),
      )
      expect(lost).toEqual([])
      looked += 1
    }
    sweep({ documents: listed, resolution: 1_000, order }, { pageSize: 100, types: TYPES, onPage })
    expect(looked).toBeGreaterThan(5)
  })

  it.each([
    ['622 documents on one date, one of an unseen type', 622, 1],
    ['3,007 documents on one date, 5 of an unseen type', 3_007, 5],
  ])('%s: never whole by its parts, unless the connection states all types', (_, count, unseen) => {
    const typeOf = (i: number) => (i >= count - unseen ? 99 : 1 + (i % 7))
    const crowd = { documents: documents(count, () => START + 5_000_000, typeOf) }
    const types = [1, 2, 3, 4, 5, 6, 7]
    const blind = sweep(crowd, { types })
    expect([blind.complete, blind.found.size]).toEqual([false, count - unseen])
    expect(blind.walk.crowded).toMatchObject([{ date: '2026-10-01T00:00:05-04:00', count: count - unseen }])
    const whole = [...types, 99]
    const stated = sweep(crowd, { types: whole, stated: whole })
    expect([stated.complete, stated.found.size]).toEqual([true, count])
    // An item of an unlisted type disproves the user's list of types.
    const wrong = sweep(crowd, { types: whole, stated: types })
    expect([wrong.complete, wrong.found.size]).toEqual([false, count])
  })

  it('narrows a crowded date by time first, where the service tells more apart than it writes', () => {
    const crowd = documents(1_300, (i) => START + 2 * DAY + i * 60_000_000)
    for (const order of ORDERS) {
      const { found, complete } = sweep({ documents: [...spread(300), ...shifted(crowd)], unit: DAY, order })
      expect([order, found.size, complete]).toEqual([order, 1_600, true])
    }
  })

  it('does not narrow for ever where the service cuts the time off', () => {
    const crowd = documents(1_300, (i) => START + 2 * DAY + i * 60_000_000)
    const service = { documents: [...spread(300), ...shifted(crowd)], unit: DAY, resolution: DAY }
    const { found, complete, requests } = sweep(service, { types: TYPES })
    expect([found.size, complete]).toEqual([1_600, false])
    expect(requests).toBeLessThan(40)
  })

  it('parts the range where dates fall within a page, since the order cannot be trusted', () => {
    for (const order of ['descending', 'jumbled', 'shuffled'] as const)
      for (const without of ['from', 'to', 'none'] as const) {
        const { found, complete, requests } = sweep({ documents: spread(2_000), order, without })
        expect([order, without, found.size, complete]).toEqual([order, without, 2_000, true])
        expect(requests).toBeLessThan(20)
      }
  })

  // It omits exactly the instant at which the sweep split the range, which its dates do not show (readings, accounting-sync).
  it.each([1_000_000, DAY])(
    'is incomplete where a service hides instants that it does not write (%i µs)',
    (unit) => {
      const at = (i: number) => START + Math.floor(i / 4) * 3_600_000_000 + (i % 4) * 250_000
      const service = { documents: documents(600, at), unit, order: 'shuffled', largestPage: 60 } as const
      const inclusive = sweep(service)
      expect([inclusive.found.size, inclusive.complete]).toEqual([600, true])
      const hiding = sweep({ ...service, without: 'both' })
      expect(hiding.found.size).toBeLessThan(600)
      expect(hiding.complete).toBe(false)
    },
  )

  it('ends at once where a service says for ever that there is more', () => {
    const issued = { instant: START + 1, text: dateTimeLike(START + 1, 'Z'), unit: 1 }
    const item = { key: '1', issued, documentType: 31 }
    const stuck = always({ hasMore: true, items: [item] })
    const empty = always({ hasMore: true, items: [] })
    const dateless = always({ hasMore: true, items: [{ ...item, issued: null }] })
    expect([stuck, empty, dateless].map(({ complete }) => complete)).toEqual([false, false, false])
    expect(stuck.requests).toBeLessThan(20)
    expect([empty.requests, empty.walk]).toEqual([1, expect.objectContaining({ why: 'empty' })])
    expect(dateless.requests).toBeLessThan(60)
    expect(unreached(empty.walk)).toEqual([{ from: START, to: END }])
  })

  it('finds every document, or says where it could not, whatever the dates, ends, resolution, order and page size', () => {
    const cut = (instant: number, by: number) => Math.floor((instant - START) / by) * by + START
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            at: fc.oneof(
              fc.integer({ min: 0, max: 40 }),
              fc.integer({ min: 0, max: END - START }),
              fc.constantFrom(0, DAY, END - START - 1_000_000, END - START),
            ),
            type: fc.constantFrom(31, 32, 99),
          }),
          { maxLength: 60 },
        ),
        fc.constantFrom(1, 1_000, 1_000_000, 60_000_000, DAY),
        fc.constantFrom(1, 1_000, 1_000_000, DAY),
        fc.constantFrom(...ORDERS),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(null, [31, 32], [31, 32, 99]),
        fc.constantFrom('none', 'from', 'to', 'both'),
        (made, resolution, unit, order, largestPage, stated, without) => {
          const list = made.map(({ at, type }, i) => ({ ...{ id: i + 1, type }, at: START + at }))
          const service = { documents: list, resolution, unit, order, largestPage, without }
          const { found, walk, complete } = sweep(service, { pageSize: 500, types: [31, 32, 99], stated })
          if (complete) return void expect(list.filter(({ id }) => !found.has(String(id)))).toEqual([])
          const spans = unreachedBy({ route: 'accounting', walk })
          expect(spans.length).toBeGreaterThan(0)
          // A service without any order that also truncates minutes may list any document anywhere, so the sweep can only be incomplete.
          if (order === 'shuffled' && resolution > 1_000) return
          for (const { id, at } of list)
            if (!found.has(String(id)))
              expect(
                spans.some(({ from, to }) => at >= cut(from, resolution) && cut(at, resolution) <= to),
              ).toBe(true)
        },
      ),
      { numRuns: runs(2_000) },
    )
  })
})

const shifted = (list: readonly Document[]) => list.map((one) => ({ ...one, id: one.id + 10_000 }))
