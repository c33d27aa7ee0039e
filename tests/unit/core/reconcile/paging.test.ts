import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTimestamp } from '#core/checks/timestamp.ts'
import { instantText } from '#core/reconcile/instant-text.ts'
import { advance, beginWalk, isComplete, nextRequest } from '#core/reconcile/paging.ts'
import { unreached } from '#core/reconcile/unreached.ts'
import type { PageFacts, Walk } from '#core/reconcile/walk.ts'
import { runs } from '../../../support/depth.ts'

interface Document {
  readonly id: number
  readonly at: number
  readonly type: number
}
interface Service {
  readonly documents: readonly Document[]
  /** Microseconds that the service can tell apart. */
  readonly resolution: number
  readonly order: 'ascending' | 'descending' | 'shuffled'
  readonly largestPage?: number
  /** It leaves out the date that it is asked from. */
  readonly exclusive?: boolean
}

const START = Date.UTC(2026, 9, 1) * 1_000
const END = START + 31 * 86_400_000_000
const instantOf = (text: string): number => {
  const read = readTimestamp(text)
  if (!('instant' in read)) throw new Error(`no instant: ${text}`)
  return read.instant
}

/** A service that follows the specification, with what it leaves open: resolution of dates, order within a page. */
function answer(service: Service, request: NonNullable<ReturnType<typeof nextRequest>>): PageFacts {
  const cut = (instant: number) => Math.floor(instant / service.resolution) * service.resolution
  const from = cut(instantOf(request.from))
  const to = cut(instantOf(request.to))
  const inRange = service.documents
    .map((document) => ({ ...document, at: cut(document.at) }))
    .filter(({ at }) => at > from || (at === from && !service.exclusive))
    .filter(({ at, type }) => at <= to && (request.documentTypeId ?? type) === type)
    .sort((a, b) => a.at - b.at || a.id - b.id)
  const ordered = service.order === 'descending' ? inRange.toReversed() : inRange
  const page = ordered.slice(0, Math.min(request.pageSize, service.largestPage ?? 500))
  const shown =
    service.order === 'shuffled'
      ? page.toSorted((a, b) => ((a.id * 7919) % 104_729) - ((b.id * 7919) % 104_729))
      : page
  return {
    hasMore: ordered.length > page.length,
    items: shown.map(({ id, at, type }) => ({
      key: String(id),
      issuedAt: at,
      issuedText: instantText(at, '-04:00'),
      documentType: type,
    })),
  }
}

function sweep(
  service: Service,
  pageSize: number,
  types: readonly number[] = [31, 32, 33, 34],
  onPage?: (found: ReadonlySet<string>, walk: Walk) => void,
) {
  const text = (instant: number) => instantText(instant, '-04:00')
  let walk: Walk = beginWalk(
    { from: text(START), to: text(END), fromInstant: START, toInstant: END, documentTypeId: null, pageSize },
    types,
  )
  const found = new Set<string>()
  let requests = 0
  for (let request = nextRequest(walk); request; request = nextRequest(walk)) {
    if (++requests > 5_000) throw new Error('it loops')
    const page = answer(service, request)
    for (const { key } of page.items) found.add(key)
    // Stored and read again between any two pages, as after a restart.
    walk = JSON.parse(JSON.stringify(advance(walk, page))) as Walk
    onPage?.(found, walk)
  }
  return { found, walk, requests }
}

const documents = (count: number, at: (i: number) => number, type = (i: number) => 31 + (i % 4)) =>
  Array.from({ length: count }, (_, i) => ({ id: i + 1, at: at(i), type: type(i) }))
const spread = (count: number) => documents(count, (i) => START + Math.floor((i * (END - START)) / count))

describe('a walk over accounting-sync (readings, accounting-sync)', () => {
  it('goes on from the latest issue date of the page before, de-duplicating the overlap', () => {
    const { found, walk, requests } = sweep(
      { documents: spread(1_000), resolution: 1_000, order: 'ascending' },
      200,
    )
    expect(found.size).toBe(1_000)
    expect(isComplete(walk)).toBe(true)
    expect(requests).toBe(6)
  })

  it.each([1, 1_000, 1_000_000])(
    'finds all of a date that pages part where the service leaves out the date it is asked from (to %i microseconds)',
    (resolution) => {
      const thrice = documents(1_000, (i) => START + 3_600_000_000 + Math.floor(i / 3) * 7_000_000)
      const service = { documents: thrice, resolution, order: 'ascending', exclusive: true } as const
      const { found, walk, requests } = sweep(service, 200)
      expect(found.size).toBe(1_000)
      expect(isComplete(walk)).toBe(true)
      expect(requests).toBeLessThan(14)
    },
  )

  it.each(['ascending', 'descending', 'shuffled'] as const)(
    'left off after any page, everything that it did not list lies where it says that it was not (%s)',
    (order) => {
      const listed = [
        ...spread(900),
        ...documents(700, () => START + 9_000_000_000).map((one) => ({ ...one, id: one.id + 1_000 })),
      ]
      const cut = (instant: number) => Math.floor(instant / 1_000) * 1_000
      let looked = 0
      sweep({ documents: listed, resolution: 1_000, order }, 100, [31, 32, 33, 34], (found, walk) => {
        const spans = unreached(walk)
        const lost = listed.filter(
          ({ id, at }) =>
            !found.has(String(id)) && !spans.some(({ from, to }) => cut(at) >= cut(from) && cut(at) <= to),
        )
        expect(lost).toEqual([])
        looked += 1
      })
      expect(looked).toBeGreaterThan(5)
    },
  )

  it('raises pageSize to 500, then sweeps a crowded date type by type', () => {
    const crowd = documents(700, () => START + 5_000_000)
    const { found, walk } = sweep({ documents: crowd, resolution: 1_000, order: 'ascending' }, 200)
    expect(found.size).toBe(700)
    expect(isComplete(walk)).toBe(true)
  })

  it('says which date it could not list whole, and how much of it, when types were not seen', () => {
    const crowd = documents(
      700,
      () => START + 5_000_000,
      (i) => (i < 650 ? 99 : 31),
    )
    const { walk } = sweep(
      {
        documents: [...crowd, ...spread(10).map((one) => ({ ...one, id: one.id + 1_000 }))],
        resolution: 1_000,
        order: 'ascending',
      },
      500,
      [31],
    )
    expect(isComplete(walk)).toBe(false)
    expect(walk.crowded).toEqual([{ date: '2026-09-30T20:00:05-04:00', count: expect.any(Number) }])
  })

  it('halves the range where dates fall within a page, since the order cannot be trusted', () => {
    for (const order of ['descending', 'shuffled'] as const) {
      const { found, walk } = sweep({ documents: spread(2_000), resolution: 1_000, order }, 200)
      expect(found.size).toBe(2_000)
      expect(isComplete(walk)).toBe(true)
    }
  })

  it('ends where a service says for ever that there is more', () => {
    const page: PageFacts = {
      hasMore: true,
      items: [{ key: '1', issuedAt: START + 1, issuedText: instantText(START + 1, 'Z'), documentType: 31 }],
    }
    let walk: Walk = beginWalk(
      {
        from: instantText(START, 'Z'),
        to: instantText(END, 'Z'),
        fromInstant: START,
        toInstant: END,
        documentTypeId: null,
        pageSize: 200,
      },
      [31],
    )
    let requests = 0
    while (nextRequest(walk)) {
      walk = advance(walk, page)
      requests++
    }
    expect(requests).toBeLessThan(50)
    expect(isComplete(walk)).toBe(false)
  })

  it('finds every document, or says where it could not, whatever the dates, resolution, order and page size', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            at: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: END - START })),
            type: fc.constantFrom(31, 32, 99),
          }),
          { maxLength: 60 },
        ),
        fc.constantFrom(1, 1_000, 1_000_000, 86_400_000_000),
        fc.constantFrom('ascending', 'descending', 'shuffled'),
        fc.integer({ min: 1, max: 7 }),
        (made, resolution, order, largestPage) => {
          const list = made.map(({ at, type }, i) => ({ id: i + 1, at: START + at, type }))
          const { found, walk } = sweep({ documents: list, resolution, order, largestPage }, 500, [31, 32])
          // A type that nobody names and no page shows cannot be asked for.
          const askable = list.filter(({ type }) => walk.types.includes(type))
          if (isComplete(walk)) expect(found.size).toBe(walk.byType.length > 0 ? askable.length : list.length)
          else expect(walk.crowded.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: runs(500) },
    )
  })
})
