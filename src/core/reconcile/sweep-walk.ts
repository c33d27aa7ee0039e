import { DOCUMENT_TYPES } from '#catalog/service.ts'
import type { SweepProblem, SweepRange } from '#contract/reconcile.ts'
import { readTimestamp } from '../checks/timestamp.ts'
import { advance, beginWalk, givenUp, nextRequest } from './paging.ts'
import type { SyncPage, SyncQuery } from './sync-source.ts'
import { advanceTreasury, beginTreasury, type TreasuryWalk } from './treasury.ts'
import { unreached } from './unreached.ts'
import type { PageFacts, Span, Walk } from './walk.ts'

/** Where a sweep stands: plain data, stored with each page. */
export type SweepWalk =
  | { readonly route: 'accounting'; readonly walk: Walk }
  | { readonly route: 'treasury'; readonly walk: TreasuryWalk }

/** Document types that the specification names: what a crowded date is split by. */
const NAMED_TYPES: readonly number[] = DOCUMENT_TYPES.map(({ code }) => Number(code.slice(1)))
/**
 * Dates that cannot be listed whole, after which a walk gives up: more than the days of a year, so that this is a service that says
 * everywhere that more follows, and would be asked for ever.
 */
const CROWDED_MOST = 400
/** Problems that a sweep keeps; there may be one for each date of a year. */
const PROBLEMS_KEPT = 50

/**
 * @param range as `resolveRange` gives it
 * @param seen document types of captures and of the user's mapping, beside those that the specification names
 */
export function beginSweep(range: SweepRange, seen: readonly number[]): SweepWalk {
  if (range.route === 'treasury') return { route: 'treasury', walk: beginTreasury(range) }
  const { from, to, documentTypeId, pageSize } = range
  const types = [...new Set([...NAMED_TYPES, ...seen])].sort((a, b) => a - b)
  const request = { from: from ?? '', to: to ?? '', documentTypeId, pageSize }
  return {
    route: 'accounting',
    walk: beginWalk({ ...request, fromInstant: instantOf(from), toInstant: instantOf(to) }, types),
  }
}

function instantOf(text: string | null): number {
  const read = readTimestamp(text ?? '')
  if (!('instant' in read)) throw new Error(`not a date-time: ${text}`)
  return read.instant
}

/** What to ask for next; null when the walk is over. */
export function nextQuery(sweep: SweepWalk): SyncQuery | null {
  if (sweep.route === 'accounting') {
    const request = nextRequest(sweep.walk)
    return request && { route: 'accounting', afterDocumentId: null, ...request }
  }
  const { state, cursor, to, documentTypeId, pageSize } = sweep.walk
  return state === 'going' ? { route: 'treasury', ...cursor, to, documentTypeId, pageSize } : null
}

/** Issue dates that the sweep has not listed whole. Treasury lists debts only: what it does not list says nothing anyway. */
export const unreachedBy = (sweep: SweepWalk): readonly Span[] =>
  sweep.route === 'accounting' ? unreached(sweep.walk) : []

/** Takes in the page that came for `nextQuery`. */
export function advanceSweep(sweep: SweepWalk, page: SyncPage, items: PageFacts['items']): SweepWalk {
  if (sweep.route === 'treasury') return { ...sweep, walk: advanceTreasury(sweep.walk, page) }
  const walk = advance(sweep.walk, { hasMore: page.hasMore, items })
  const lost = walk.mode !== 'done' && walk.crowded.length >= CROWDED_MOST
  return { ...sweep, walk: lost ? givenUp(walk) : walk }
}

/**
 * Why a walk that is over did not see everything; empty when it did.
 * @param datesFound whether the items' issue dates could be found at all
 * @param nameless items in which neither a document id nor a Number was found
 */
export function problemsOf(
  { route, walk }: SweepWalk,
  datesFound: boolean,
  nameless: number,
): readonly SweepProblem[] {
  const unnamed = nameless > 0 ? [namelessItems(nameless)] : []
  if (route === 'treasury')
    return [
      ...unnamed,
      ...(walk.state === 'repeated' ? [REPEATED] : walk.state === 'endless' ? [noProgress(route)] : []),
    ]
  const problems: SweepProblem[] = [...unnamed, ...(walk.requestsLeft <= 0 ? [noProgress(route)] : [])]
  if (walk.crowded.length > 0 && !datesFound) problems.push(ORDER_UNKNOWN)
  for (const { date, count } of walk.crowded)
    problems.push({
      code: 'unseen-types',
      message: `More documents lie on ${date} than the service shows at once: ${count} were found; others, of document types not seen yet, may be missing. Sweep that date again by each document type that you use.`,
      params: { date, count },
    })
  return problems.slice(0, PROBLEMS_KEPT)
}

const REPEATED: SweepProblem = {
  code: 'repeated-cursor',
  message:
    'The service says that more follows, but its cursor names a place where the sweep was before, or none. What lies behind it cannot be reached.',
  params: {},
}

const ORDER_UNKNOWN: SweepProblem = {
  code: 'order-unknown',
  message:
    'No issue date was found in the items, and one page does not hold them all, so there was nothing to go on by. Correct the mapping of the issue date, and sweep again.',
  params: {},
}

const namelessItems = (count: number): SweepProblem => ({
  code: 'nameless-items',
  message: `${count} of the service's items have neither a document id nor a Number where one was looked for, so nobody can tell whether they were captured. Correct the mapping of the connection, and sweep again.`,
  params: { count },
})

const noProgress = (route: string): SweepProblem => ({
  code: 'no-progress',
  message: `The service said again and again that more follows, and ${route}-sync did not get any further. The sweep gave up without having seen the end.`,
  params: { route },
})
