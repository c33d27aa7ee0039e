import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SweepRange } from '#contract/reconcile.ts'
import { advanceSweep, beginSweep, nextQuery, problemsOf, unreachedBy } from '#core/reconcile/sweep-walk.ts'
import { readPage } from '#core/reconcile/sync-source.ts'
import { forAll } from '../../../support/for-all.ts'

type Cursor = readonly [from: string | null, afterDocumentId: string | null]
const RANGE: SweepRange = { route: 'treasury', from: 'start', to: null, documentTypeId: 31, pageSize: 7 }

/** Sweeps a service that answers the n-th request with the n-th cursor, for at most `most` requests. */
function walked(cursorAt: (page: number) => Cursor, pages: number, most: number) {
  let walk = beginSweep(RANGE, [])
  const asked: Cursor[] = []
  for (let query = nextQuery(walk); query && asked.length < most; query = nextQuery(walk)) {
    expect(query).toMatchObject({ route: 'treasury', to: null, documentTypeId: 31, pageSize: 7 })
    const [nextFrom, nextAfterDocumentId] = cursorAt(asked.length)
    asked.push([query.from, query.afterDocumentId])
    const answer = { items: [], hasMore: asked.length < pages, nextFrom, nextAfterDocumentId }
    const page = readPage(new TextEncoder().encode(JSON.stringify(answer)))
    if (!('items' in page)) throw new Error(page.message)
    walk = advanceSweep(walk, page, [])
  }
  const problems = problemsOf(walk, true, 0).map(({ code }) => code)
  return { asked, problems, over: nextQuery(walk) === null, unreached: unreachedBy(walk) }
}

const part = fc.option(fc.string({ unit: 'grapheme' }))
/** Distinct cursors, none equal to the start or without any part. */
const cursors = fc
  .uniqueArray(fc.tuple(part, part), { minLength: 1, maxLength: 60, selector: (one) => JSON.stringify(one) })
  .map((all) =>
    all.filter(([from, after]) => (from ?? after) !== null && !(from === 'start' && after === null)),
  )
  .filter((all) => all.length > 0)

test('each cursor goes back exactly as received, until hasMore is false; what is absent is no miss', () =>
  forAll(500, [cursors], (all) => {
    const given = (page: number): Cursor => all[page] ?? [null, null]
    expect(walked(given, all.length + 1, 1_000)).toEqual({
      asked: [['start', null], ...all],
      ...{ problems: [], over: true, unreached: [] },
    })
  }))

test('a service that goes round in a circle, or names no cursor, is an error and never a loop', () =>
  forAll(500, [cursors, fc.nat(59), fc.boolean()], (all, at, none) => {
    const back = at % all.length
    const circle = (page: number) => (page < all.length ? page : back + ((page - back) % (all.length - back)))
    const given = (page: number): Cursor =>
      none && page >= all.length ? [null, null] : (all[circle(page)] ?? [null, null])
    const most = 4 * all.length + 8
    const { asked, problems, over } = walked(given, Number.POSITIVE_INFINITY, most)
    expect({ problems, over }).toEqual({ problems: ['repeated-cursor'], over: true })
    expect(asked.slice(0, all.length + 1)).toEqual([['start', null], ...all].slice(0, asked.length))
  }))
