import { readTimestamp } from '#catalog/date-time.ts'
import type { SweepProblem, SweepRange } from '#contract/reconcile.ts'
import { advance, beginWalk, givenUp, nextRequest } from './paging.ts'
import { problem, type SyncPage, type SyncQuery } from './sync-source.ts'
import {
  type GivenUp,
  type Issued,
  lastOf,
  MOST_REQUESTS,
  type PageFacts,
  RISES_PROVE,
  type Span,
  unreached,
  type Walk,
} from './walk.ts'

/** Position of a sweep: plain data, stored with each page. */
export type SweepWalk =
  | { readonly route: 'accounting'; readonly walk: Walk }
  | { readonly route: 'treasury'; readonly walk: TreasuryWalk }

/**
 * Maximum crowded dates before a walk gives up. More than the days of a year mean that the service always says that more follows, and would
 * be polled for ever.
 */
const CROWDED_MOST = 400
const PROBLEMS_KEPT = 50

/** @param seen document types in captures and in the connection's list @param stated that list, if it claims to be complete */
export function beginSweep(
  range: SweepRange,
  seen: readonly number[],
  stated: readonly number[] | null = null,
): SweepWalk {
  if (range.route === 'treasury') return { route: 'treasury', walk: beginTreasury(range) }
  const { from, to, documentTypeId, pageSize } = range
  const types = [...new Set(seen)].sort((a, b) => a - b)
  const request = { from: from ?? '', to: to ?? '', documentTypeId, pageSize }
  return {
    route: 'accounting',
    walk: beginWalk({ ...request, fromInstant: instantOf(from), toInstant: instantOf(to) }, types, stated),
  }
}

export const spanOf = ({ from, to }: SweepRange): Span => ({ from: instantOf(from), to: instantOf(to) })

/** False for a walk stored by an earlier version, which cannot be resumed. */
export const isCurrent = ({ route, walk }: SweepWalk): boolean =>
  route === 'treasury' || ('ends' in walk && !('edge' in walk))

function instantOf(text: string | null): number {
  const read = readTimestamp(text ?? '')
  if (!('instant' in read)) throw new Error(`not a date-time: ${text}`)
  return read.instant
}

export function nextQuery(sweep: SweepWalk): SyncQuery | null {
  if (sweep.route === 'accounting') {
    const request = nextRequest(sweep.walk)
    return request && { route: 'accounting', afterDocumentId: null, ...request }
  }
  const { state, cursor, to, documentTypeId, pageSize } = sweep.walk
  return state === 'going' ? { route: 'treasury', ...cursor, to, documentTypeId, pageSize } : null
}

/** Issue dates that the sweep did not fully list. Empty for treasury, which lists debts only, so that an absent document proves nothing. */
export function unreachedBy({ route, walk }: SweepWalk): readonly Span[] {
  if (route === 'treasury') return []
  const spans = unreached(walk)
  // Without a proved order, an unlisted document may have any date of the range.
  const disordered = walk.mode === 'done' && spans.length > 0 && walk.rises < RISES_PROVE
  return disordered ? [{ from: walk.begin, to: walk.end.instant }] : spans
}

/** Filters out items beyond the range, which a widened walk lists too. */
export function isWithin({ route, walk }: SweepWalk, range: SweepRange, issued: Issued | null): boolean {
  if (route !== 'accounting' || walk.ends !== 'left-out' || issued === null) return true
  const { from, to } = spanOf(range)
  return lastOf(issued) >= from && issued.instant <= to
}

export function advanceSweep(sweep: SweepWalk, page: SyncPage, items: PageFacts['items']): SweepWalk {
  if (sweep.route === 'treasury') return { ...sweep, walk: advanceTreasury(sweep.walk, page) }
  const walk = advance(sweep.walk, { hasMore: page.hasMore, items })
  const lost = walk.mode !== 'done' && walk.crowded.length >= CROWDED_MOST
  return { ...sweep, walk: lost ? givenUp(walk, 'endless') : walk }
}

/** Reasons why a finished walk did not see everything. */
export function problemsOf({ route, walk }: SweepWalk, datesFound: boolean, nameless: number) {
  const unnamed = nameless > 0 ? [namelessItems(nameless)] : []
  if (route === 'treasury')
    return [
      ...unnamed,
      ...(walk.state === 'repeated' ? [REPEATED] : walk.state === 'endless' ? [noProgress(route)] : []),
    ]
  const problems = [...unnamed]
  const why = walk.mode === 'done' ? walk.why : undefined
  if (why !== undefined) problems.push(datesFound || why === 'empty' ? GIVEN_UP[why](route) : ORDER_UNKNOWN)
  // Without dates it is unknown whether the service excludes the ends of the range.
  else if (walk.ends === 'unknown') problems.push(ORDER_UNKNOWN)
  for (const { date, count } of walk.crowded) problems.push(notWhole(date, count, walk.stated !== null))
  return problems.slice(0, PROBLEMS_KEPT)
}

const notWhole = (date: string, count: number, stated: boolean): SweepProblem =>
  problem(
    'unseen-types',
    `More documents lie on ${date} than the service shows at once: ${count} were found, and others may be missing. ${
      stated
        ? 'The parts by document type do not prove the whole, although the connection states that its list of types is complete.'
        : 'The sweep requested them type by type, so documents of an unseen type are missing from the list. If the connection lists all types that you use, run: acuse connections set NAME --types-complete yes'
    }`,
    { date, count, why: stated ? 'stated-types' : 'unstated-types' },
  )

const REPEATED = problem(
  'repeated-cursor',
  'The service reports that more follows, but its cursor is missing or repeats. The sweep cannot reach the rest.',
)

const ORDER_UNKNOWN = problem(
  'order-unknown',
  'No issue date was found in the items, so nothing shows whether the service listed the whole range. Correct the mapping of the issue date, and sweep again.',
)

const namelessItems = (count: number): SweepProblem =>
  problem(
    'nameless-items',
    `${count} of the service's items show neither a document id nor a Number, so Acuse cannot tell whether they were captured. See an item with: acuse connections test NAME; map its id with: acuse connections set NAME --map documentId=/…`,
    { count },
  )

const noProgress = (route: string): SweepProblem =>
  problem(
    'no-progress',
    `The service kept reporting that more follows, but ${route}-sync made no progress. The sweep stopped before the end.`,
    { route, why: 'endless' },
  )

const GIVEN_UP: Readonly<Record<GivenUp, (route: string) => SweepProblem>> = {
  endless: noProgress,
  empty: () =>
    problem(
      'no-progress',
      'The service sent an empty page and reported that more follows. The page has no date to continue from, so the sweep stopped.',
      { why: 'empty-page' },
    ),
  unfiltered: () =>
    problem(
      'no-progress',
      'The service lists documents of other dates than requested and reports that more follow. The sweep stopped, because no range makes progress.',
      { why: 'unfiltered' },
    ),
}

export interface Cursor {
  readonly from: string | null
  readonly afterDocumentId: string | null
}

export interface TreasuryWalk {
  readonly cursor: Cursor
  readonly to: string | null
  readonly documentTypeId: number | null
  readonly pageSize: number
  readonly requestsLeft: number
  /** `repeated`: the cursor runs in a circle. `endless`: the service never reports its end. */
  readonly state: 'going' | 'done' | 'repeated' | 'endless'
  /** An earlier cursor, replaced after 1, 2, 4, 8 … pages, with which a walk detects a circle (Brent's algorithm). */
  readonly mark: Cursor
  readonly sinceMark: number
  readonly markAfter: number
}

export function beginTreasury({ from, to, documentTypeId, pageSize }: SweepRange): TreasuryWalk {
  const cursor = { from, afterDocumentId: null }
  return {
    cursor,
    to,
    documentTypeId,
    pageSize,
    requestsLeft: MOST_REQUESTS,
    state: 'going',
    mark: cursor,
    sinceMark: 0,
    markAfter: 1,
  }
}

/** Ends when `hasMore` is false; also on a repeated or missing cursor, which would loop for ever (readings, treasury-sync). */
export function advanceTreasury(walk: TreasuryWalk, page: SyncPage): TreasuryWalk {
  const requestsLeft = walk.requestsLeft - 1
  if (!page.hasMore) return { ...walk, requestsLeft, state: 'done' }
  const cursor = { from: page.nextFrom, afterDocumentId: page.nextAfterDocumentId }
  const none = cursor.from === null && cursor.afterDocumentId === null
  if (none || same(cursor, walk.cursor) || same(cursor, walk.mark))
    return { ...walk, requestsLeft, cursor, state: 'repeated' }
  if (requestsLeft <= 0) return { ...walk, requestsLeft, cursor, state: 'endless' }
  const sinceMark = walk.sinceMark + 1
  return sinceMark < walk.markAfter
    ? { ...walk, requestsLeft, cursor, sinceMark }
    : { ...walk, requestsLeft, cursor, mark: cursor, sinceMark: 0, markAfter: walk.markAfter * 2 }
}

const same = (a: Cursor, b: Cursor): boolean => a.from === b.from && a.afterDocumentId === b.afterDocumentId
