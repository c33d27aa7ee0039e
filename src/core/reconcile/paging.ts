import { PAGE_SIZE } from '#catalog/service.ts'
import { instantText } from './instant-text.ts'
import { unreached } from './unreached.ts'
import {
  behind,
  beyond,
  bisecting,
  common,
  crowdedDate,
  type In,
  MOST_REQUESTS,
  type Moment,
  nextMoment,
  type PageFacts,
  type PageRequest,
  type Span,
  STEPS,
  stuckAt,
  type Walk,
} from './walk.ts'

/**
 * @param range full date-times with offset
 * @param types document types to try on a crowded date
 */
export function beginWalk(
  range: PageRequest & { readonly fromInstant: number; readonly toInstant: number },
  types: readonly number[],
): Walk {
  return {
    mode: 'walk',
    from: { instant: range.fromInstant, text: range.from },
    settled: null,
    end: { instant: range.toInstant, text: range.to },
    documentTypeId: range.documentTypeId,
    pageSize: range.pageSize,
    types,
    crowded: [],
    byType: [],
    requestsLeft: MOST_REQUESTS,
  }
}

/** The request to send next; null when the walk is over. */
export function nextRequest(walk: Walk): PageRequest | null {
  const { documentTypeId, pageSize, end } = walk
  switch (walk.mode) {
    case 'done':
      return null
    case 'walk':
      return { from: walk.from.text, to: end.text, documentTypeId, pageSize }
    case 'types': {
      const [type] = walk.left
      if (type === undefined) return null
      const { text } = walk.date
      return { from: text, to: text, documentTypeId: type, pageSize: PAGE_SIZE.maximum }
    }
    case 'bisect': {
      const [span] = walk.spans
      if (!span) return null
      return {
        from: instantText(span.from, end.text),
        to: instantText(span.to, end.text),
        documentTypeId,
        pageSize: PAGE_SIZE.maximum,
      }
    }
  }
}

/** Whether the walk saw all there is; false with the dates that it could not list whole. */
export const isComplete = (walk: Walk): boolean =>
  walk.mode === 'done' && walk.crowded.length === 0 && walk.requestsLeft > 0

/** Takes in the page that came for `nextRequest`. Every step goes beyond the one before, or escalates: it never loops, never skips. */
export function advance(walk: Walk, page: PageFacts): Walk {
  const types = joined(walk.types, page)
  const known = { ...walk, types, requestsLeft: walk.requestsLeft - 1 }
  if (known.requestsLeft <= 0) return givenUp(walk)
  const next = step(known, page)
  return next.mode === 'done' ? revisited(next) : next
}

/** The end of a walk that leads nowhere, with what it did not see. */
export const givenUp = (walk: Walk): Walk => ({
  ...common(walk),
  requestsLeft: 0,
  mode: 'done',
  left: unreached(walk),
})

function step(walk: Walk, page: PageFacts): Walk {
  switch (walk.mode) {
    case 'done':
      return walk
    case 'walk':
      return walked(walk, page)
    case 'types':
      return typed(walk, page)
    case 'bisect':
      return bisected(walk, page)
  }
}

/** Dates that were listed by the types known then are asked for those that were seen since. */
function revisited(walk: Walk): Walk {
  for (const { date, types } of walk.byType) {
    const left = walk.types.filter((type) => !types.includes(type))
    if (left.length > 0)
      return {
        ...common(walk),
        mode: 'types',
        date,
        left,
        asked: [...types, ...left],
        shown: -1,
        missing: [],
        found: 0,
        overfull: false,
        onward: { bisect: [] },
      }
  }
  return walk
}

function walked(walk: In<'walk'>, page: PageFacts): Walk {
  if (walk.overlaps && beginsBehind(walk.from, page)) {
    const instant = walk.from.instant - STEPS[0]
    return { ...walk, from: { instant, text: instantText(instant, walk.from.text) }, overlaps: false }
  }
  if (!page.hasMore) return { ...walk, mode: 'done' }
  if (!rises(page)) return bisecting(walk, [{ from: walk.from.instant, to: walk.end.instant }])
  const latest = page.items.findLast(({ issuedAt }) => issuedAt !== null)
  const date = latest && { instant: latest.issuedAt ?? 0, text: latest.issuedText ?? '' }
  // Without dates there is nothing to go on from: the range itself has to be made smaller.
  if (!date) return bisecting(walk, [{ from: walk.from.instant, to: walk.end.instant }])
  const goesOn = date.instant > walk.from.instant
  const earliest = page.items.find(({ issuedAt }) => issuedAt !== null)?.issuedAt ?? date.instant
  // Only a page on which dates rise shows that the service begins with the oldest.
  if (goesOn && earliest < date.instant) return { ...walk, from: date, settled: null, overlaps: true }
  if (walk.pageSize < PAGE_SIZE.maximum) return { ...walk, pageSize: PAGE_SIZE.maximum }
  if (goesOn) return bisecting(walk, [{ from: walk.from.instant, to: walk.end.instant }])
  const { settled } = walk
  if (settled?.date.instant === date.instant) return behind(walk, { date, step: settled.step + 1 })
  return crowdedDate(walk, page, date, null)
}

function typed(walk: In<'types'>, page: PageFacts): Walk {
  const seen = new Set(page.items.map(({ key }) => key))
  const state = {
    ...walk,
    left: walk.left.slice(1),
    missing: walk.missing.filter((key) => !seen.has(key)),
    found: walk.found + page.items.length,
    overfull: walk.overfull || page.hasMore,
  }
  if (state.left.length > 0) return state
  const { date, onward, found, missing, overfull } = state
  const whole = !overfull && missing.length === 0 && found > state.shown
  const crowded = whole
    ? state.crowded
    : [...state.crowded, { date: date.text, count: found + missing.length }]
  const others = state.byType.filter((listed) => listed.date.instant !== date.instant)
  const byType = [...others, { date, types: state.asked }]
  return beyond({ ...common(state), crowded, byType }, date, onward)
}

function bisected(walk: In<'bisect'>, page: PageFacts): Walk {
  const [span, ...others] = walk.spans
  if (!span) return { ...common(walk), mode: 'done' }
  if (!page.hasMore) return bisecting(walk, others)
  const [date, second] = datesOf(page)
  if (date && !second) return oneDate(walk, page, date, span, others)
  if (span.from === span.to) {
    const stuck = stuckAt(
      { instant: span.from, text: instantText(span.from, walk.end.text) },
      page.items.length,
    )
    return bisecting({ ...common(walk), crowded: [...walk.crowded, stuck] }, others)
  }
  const middle = Math.floor((span.from + span.to) / 2)
  return bisecting(walk, [{ from: span.from, to: middle }, { from: middle + 1, to: span.to }, ...others])
}

/** A full page of one date: that date goes type by type, what lies on its two sides goes on being halved. */
function oneDate(
  walk: In<'bisect'>,
  page: PageFacts,
  date: Moment,
  span: Span,
  others: readonly Span[],
): Walk {
  if (date.instant > span.to)
    return bisecting(
      { ...common(walk), crowded: [...walk.crowded, stuckAt(date, page.items.length)] },
      others,
    )
  const { settled } = walk
  if (settled?.date.instant === date.instant) {
    const next = { date, step: settled.step + 1 }
    const from = nextMoment(next)
    if (!from) return bisecting({ ...common(walk), crowded: [...walk.crowded, stuckAt(date, 0)] }, others)
    return bisecting(walk, [{ from: from.instant, to: span.to }, ...others], next)
  }
  const after = { from: Math.max(span.from, date.instant + STEPS[0]), to: span.to }
  const before = { from: span.from, to: date.instant - STEPS[0] }
  return crowdedDate(walk, page, date, { bisect: [after, before, ...others] })
}

/** The first two different dates of a page. */
function datesOf(page: PageFacts): readonly Moment[] {
  const dates: Moment[] = []
  for (const { issuedAt, issuedText } of page.items) {
    if (issuedAt === null || issuedText === null || dates[0]?.instant === issuedAt) continue
    dates.push({ instant: issuedAt, text: issuedText })
    if (dates.length === 2) break
  }
  return dates
}

/** A service that leaves out the date itself would skip what else lies on it; it is asked from just before it. */
const beginsBehind = ({ instant }: Moment, { items }: PageFacts): boolean =>
  items.every(({ issuedAt }) => issuedAt !== null && issuedAt > instant)

/** Whether dates never fall within the page. Without dates nothing can be said, and paging has nothing to go by. */
function rises(page: PageFacts): boolean {
  let before = Number.NEGATIVE_INFINITY
  for (const { issuedAt } of page.items) {
    if (issuedAt === null) continue
    if (issuedAt < before) return false
    before = issuedAt
  }
  return true
}

function joined(types: readonly number[], page: PageFacts): readonly number[] {
  const seen = new Set(types)
  for (const { documentType } of page.items) if (documentType !== null) seen.add(documentType)
  return seen.size === types.length ? types : [...seen].sort((a, b) => a - b)
}
