import { dateTimeLike } from '#catalog/date-time.ts'
import { PAGE_SIZE } from '#catalog/service.ts'
import { DAY_US, halfOf, halved, hidesEnds, parted } from './parting.ts'
import {
  atEnd,
  behind,
  bisecting,
  common,
  type GivenUp,
  type In,
  type Issued,
  lastOf,
  listing,
  MOST_REQUESTS,
  onto,
  type PageFacts,
  type PageRequest,
  type Probe,
  part,
  RISES_PROVE,
  STEPS,
  unreached,
  type Walk,
  wholeOf,
} from './walk.ts'

const KEYS_KEPT = 50
const NOTHING_SEEN = { settled: null, overlap: null, crowded: [], byType: [], rises: 0, back: 0 } as const

/** @param types document types to try on a crowded date @param stated all types as the connection states them; null: not stated */
export function beginWalk(
  range: PageRequest & { readonly fromInstant: number; readonly toInstant: number },
  types: readonly number[],
  stated: readonly number[] | null = null,
): Walk {
  return {
    mode: 'walk',
    ...NOTHING_SEEN,
    from: { instant: range.fromInstant, text: range.from },
    begin: range.fromInstant,
    end: { instant: range.toInstant, text: range.to },
    documentTypeId: range.documentTypeId,
    pageSize: range.pageSize,
    types,
    stated,
    requestsLeft: MOST_REQUESTS,
    ends: 'open',
  }
}

export function nextRequest(walk: Walk): PageRequest | null {
  const { documentTypeId, end, ends } = walk
  const between = ({ from, to }: { readonly from: number; readonly to: number }) => ({
    from: dateTimeLike(from, end.text),
    to: dateTimeLike(to, end.text),
    pageSize: PAGE_SIZE.maximum,
  })
  if (typeof ends === 'object') {
    const { date, asked } = ends
    const text = (at: number) => (date.unit > 1 ? dateTimeLike(at, date.text) : date.text)
    return { from: text(asked.from), to: text(asked.to), documentTypeId, pageSize: 1 }
  }
  switch (walk.mode) {
    case 'done':
      return null
    case 'walk':
      return { from: walk.from.text, to: end.text, documentTypeId, pageSize: walk.pageSize }
    case 'types': {
      const [type] = walk.left
      return type === undefined ? null : { ...between(walk.span), documentTypeId: type }
    }
    case 'bisect': {
      const [first] = walk.parts
      return first ? { ...between(first), documentTypeId } : null
    }
  }
}

export const isComplete = (walk: Walk): boolean =>
  walk.mode === 'done' && walk.crowded.length === 0 && walk.left === undefined

/** Advances a walk by one page. Every step makes progress or escalates to another method, so a walk neither loops nor skips. */
export function advance(walk: Walk, page: PageFacts): Walk {
  const types = joined(walk.types, page)
  const known = { ...walk, types, requestsLeft: walk.requestsLeft - 1 }
  if (known.requestsLeft <= 0) return givenUp({ ...known, ends: 'unknown' }, 'endless')
  if (typeof walk.ends === 'object') {
    const ends = probed(walk.ends, page.items.length > 0)
    return ends === 'left-out' ? widened(known) : ending({ ...known, ends })
  }
  if (page.hasMore && page.items.length === 0) return givenUp(known, 'empty')
  const next = ending(step(known, page))
  return walk.ends === 'open' ? tried(known, next, page) : next
}

const ending = (walk: Walk): Walk => (walk.mode !== 'done' || walk.left ? walk : revisited(walk))

/**
 * Tests whether the service includes the ends of a range, which no page shows by itself: requests a date of the first page alone. A service
 * that lists a range of one instant includes both ends.
 */
function tried(first: Walk, next: Walk, { items }: PageFacts): Walk {
  if (items.length === 0) return widened(first)
  const date = items.find(({ issued }) => issued !== null)?.issued
  if (!date) return { ...next, ends: 'unknown' }
  const within = { from: date.instant, to: lastOf(date) }
  return { ...next, ends: { date, within, asked: within } }
}

/** A date in coarse precision can be anywhere within its unit: bisects the unit, after its first instant. */
function probed({ date, within, asked }: Probe, listed: boolean): 'listed' | 'left-out' | Probe {
  if (listed && asked.from === asked.to) return 'listed'
  const { from, to } = listed ? asked : { from: asked.to + 1, to: within.to }
  if (from > to) return 'left-out'
  return {
    date,
    within: { from, to },
    asked: { from, to: from === date.instant ? from : halfOf({ from, to }) },
  }
}

/** Restarts with one more day on both sides, the coarsest precision to which services truncate dates. */
function widened(walk: Walk): Walk {
  const moved = ({ instant, text }: Walk['end'], by: number) => ({
    instant: instant + by,
    text: dateTimeLike(instant + by, text),
  })
  const from = moved({ instant: walk.begin, text: walk.end.text }, -DAY_US)
  return {
    ...common(walk),
    ...NOTHING_SEEN,
    mode: 'walk',
    from,
    begin: from.instant,
    end: moved(walk.end, DAY_US),
    ends: 'left-out',
  }
}

export const givenUp = (walk: Walk, why: GivenUp): Walk => ({
  ...common(walk),
  mode: 'done',
  left: unreached(walk),
  why,
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
      return parted(walk, page) ?? givenUp(walk, 'unfiltered')
  }
}

/** Lists crowded dates again by the document types seen since. */
function revisited(walk: Walk): Walk {
  for (const { date, span, types } of walk.byType) {
    const left = walk.types.filter((type) => !types.includes(type))
    if (left.length > 0)
      return listing(walk, { date, span, left, asked: [...types, ...left], shown: -1, missing: [] })
  }
  return walk
}

function walked(before: In<'walk'>, page: PageFacts): Walk {
  if (before.overlap && !showsAgain(before.overlap.keys, page)) return furtherBack(before)
  const dated = page.items.flatMap(({ issued }) => issued ?? [])
  const order = orderOf(dated)
  // Every page starts with the date of the overlap, so only the dates after it show an order.
  const { date: begins } = before.overlap ?? {}
  const later = begins ? dated.filter(({ instant }) => instant > begins.instant) : dated
  const walk = { ...before, rises: before.rises + orderOf(later).rises }
  if (!page.hasMore) return walk.from.instant === walk.begin ? { ...common(walk), mode: 'done' } : atEnd(walk)
  // If the order is not proved, neither is the part walked so far.
  const rest = wholeOf(walk)
  const [first] = dated
  const last = dated.at(-1)
  // Without dates, or with descending ones, there is no date to continue from: the range must be bisected.
  if (!first || !last || order.falls) return bisecting(walk, rest)
  // When the request started before the date, a page that ends on that date made no progress.
  const goesOn = last.instant > (walk.overlap ? walk.overlap.date : walk.from).instant
  // Only a page with ascending dates shows that the service lists the oldest first.
  if (goesOn && first.instant < last.instant) return from(walk, page, last)
  if (walk.pageSize < PAGE_SIZE.maximum) return { ...walk, pageSize: PAGE_SIZE.maximum }
  if (goesOn && walk.rises < RISES_PROVE) return bisecting(walk, rest)
  const { settled } = walk
  if (settled?.date.instant === last.instant) return behind(walk, { ...settled, step: settled.step + 1 })
  // A service that truncates times may list dates before the requested one.
  const crowd = part(Math.min(first.instant, last.instant), lastOf(last))
  return halved(walk, page, crowd, { parts: [], due: [], onward: { date: last, step: 0 } })
}

/** The next page starts at the latest date of this one and must show it again, so that no other document of that date is skipped. */
function from(walk: In<'walk'>, page: PageFacts, date: Issued): Walk {
  const keys = page.items.flatMap(({ key, issued }) => (issued?.instant === date.instant ? [key] : []))
  const overlap = { date, keys: keys.slice(0, KEYS_KEPT) }
  return { ...walk, from: backFrom(date, walk.back), settled: null, overlap }
}

const showsAgain = (keys: readonly string[], { items }: PageFacts): boolean => {
  const wanted = new Set(keys)
  return items.some(({ key }) => wanted.has(key))
}

/** For a service that excludes the start of a range and so skips documents of that date: starts slightly earlier. */
function furtherBack(walk: In<'walk'>): Walk {
  const { overlap } = walk
  if (!overlap) return walk
  const { date } = overlap
  if (walk.back < STEPS.length) return { ...walk, back: walk.back + 1, from: backFrom(date, walk.back + 1) }
  // The service does not show that date again, so nothing walked so far is proved.
  return bisecting(walk, wholeOf(walk))
}

function backFrom(date: Walk['end'], back: number): Walk['end'] {
  const length = back > 0 ? STEPS[back - 1] : undefined
  if (length === undefined) return date
  const instant = date.instant - length
  return { instant, text: dateTimeLike(instant, date.text) }
}

function typed(walk: In<'types'>, page: PageFacts): Walk {
  const seen = new Set(page.items.map(({ key }) => key))
  const state = {
    ...walk,
    left: walk.left.slice(1),
    missing: walk.missing.filter((key) => !seen.has(key)),
    due: walk.due.filter(({ key }) => !seen.has(key)),
    found: walk.found + page.items.length,
    overfull: walk.overfull || page.hasMore,
  }
  if (state.left.length > 0) return state
  const { date, span, found, missing, overfull, stated } = state
  const known = stated !== null && state.types.every((type) => stated.includes(type))
  const proved = known && !hidesEnds(state, date)
  const whole = proved && !overfull && missing.length === 0 && found > state.shown
  const crowded = whole
    ? state.crowded
    : onto(state.crowded, [{ date: date.text, count: found + missing.length, ...span }])
  const others = state.byType.filter((listed) => listed.date.instant !== date.instant)
  const byType = [...others, { date, span, types: state.asked }]
  return bisecting({ ...common(state), crowded, byType }, state)
}

function orderOf(dates: readonly Issued[]): { readonly falls: boolean; readonly rises: number } {
  let rises = 0
  let before: number | null = null
  for (const { instant } of dates) {
    if (before !== null && instant < before) return { falls: true, rises: 0 }
    if (before !== null && instant > before) rises += 1
    before = instant
  }
  return { falls: false, rises }
}

function joined(types: readonly number[], page: PageFacts): readonly number[] {
  const seen = new Set(types)
  for (const { documentType } of page.items) if (documentType !== null) seen.add(documentType)
  return seen.size === types.length ? types : [...seen].sort((a, b) => a - b)
}
