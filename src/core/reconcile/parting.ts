import { dateTimeLike } from '#catalog/date-time.ts'
import { textHash } from './sweep-item.ts'
import {
  bisecting,
  common,
  type Due,
  type In,
  type Issued,
  lastOf,
  listing,
  onto,
  type PageFacts,
  type Part,
  part,
  type Span,
  type Walk,
} from './walk.ts'

/** Maximum consecutive halves with the same page as the whole; after that, time does not separate the documents. */
const ALIKE_MOST = 3
const DUE_KEPT = 15
/** The coarsest precision to which services truncate dates. */
export const DAY_US = 86_400_000_000

type Onward = Pick<In<'bisect'>, 'parts' | 'due' | 'onward'>

/**
 * Takes a complete page of the first part, or splits the part at a date on its page. Both halves include that date; a service that excludes
 * both ends then lists it in neither, which `due` detects.
 * @returns null when the service lists other dates than requested
 */
export function parted(walk: In<'bisect'>, page: PageFacts): Walk | null {
  const [first, ...others] = walk.parts
  if (!first) return { ...common(walk), mode: 'done' }
  const rest = { parts: others, due: walk.due, onward: walk.onward }
  if (!page.hasMore) {
    const listed = new Set(page.items.map(({ key }) => key))
    return bisecting(walk, { ...rest, due: walk.due.filter(({ key }) => !listed.has(key)) })
  }
  const dates = datesOf(page)
  if (dates.length === 0) return first.from < first.to ? split(walk, page, first, halfOf(first), rest) : null
  if (dates.every((date) => date.instant > first.to + DAY_US || lastOf(date) < first.from - DAY_US))
    return null
  const inside = dates.filter((date) => date.instant <= first.to && lastOf(date) >= first.from)
  const [earliest] = inside
  const latest = inside.at(-1)
  // The service separates dates less finely than requested: its page for this range counts as one crowd.
  const coarse = inside.length < dates.length && first.like === digest(page)
  if (!earliest || !latest || coarse)
    return crowded(walk, page, dates.at(-1), around(first, dates, DAY_US), rest)
  if (inside.length > 1) {
    const at = (inside.length > 2 ? inside[inner(page, inside)] : latest)?.instant ?? first.to
    return split(walk, page, first, at > first.from && at < first.to ? at : halfOf(first), rest)
  }
  const own = { from: Math.max(first.from, latest.instant), to: Math.min(first.to, lastOf(latest)) }
  if (own.from === first.from && own.to === first.to) return halved(walk, page, first, rest)
  // Both neighbours repeat the first and last instant of a date in coarse precision, since the service may exclude the ends of a range. A
  // service that truncates dates first may put the next instant into another second, so both are repeated there too.
  const again = latest.unit > 1 || walk.ends === 'left-out'
  const after = part(lastOf(latest) + (again && lastOf(latest) > first.from ? 0 : 1), first.to)
  const before = part(first.from, latest.instant - (again && latest.instant < first.to ? 0 : 1))
  const due = owed(page, latest.instant, rest.due)
  const known = hidesEnds(walk, latest) ? unproved(walk, latest.instant) : walk
  return bisecting(known, { ...rest, due, parts: [part(own.from, own.to), before, after, ...others] })
}

/** Bisects a full page of one date by time as long as that separates its documents, then lists it by types. */
export function halved(walk: Walk, page: PageFacts, whole: Part, rest: Onward): Walk {
  const dates = datesOf(page)
  const alike = whole.like === digest(page) ? whole.alike + 1 : 0
  if (dates.length === 1 && whole.from < whole.to && alike < ALIKE_MOST)
    return split(walk, page, { ...whole, alike }, halfOf(whole), rest)
  const date = dates.at(-1)
  // Several dates without progress: the service truncates the time.
  return crowded(walk, page, date, around(whole, dates, dates.length > 1 ? DAY_US : 0), rest)
}

const around = ({ from, to }: Span, dates: readonly Issued[], more: number): Span => ({
  from: Math.min(from, ...dates.map(({ instant }) => instant)) - more,
  to: Math.max(to, ...dates.map(lastOf)) + more,
})

export const halfOf = ({ from, to }: Span): number => Math.floor((from + to) / 2)

/**
 * True when documents at the instant of a split may be in neither half: the service excludes both ends and compares more exactly than it
 * writes dates.
 */
export const hidesEnds = ({ ends }: Walk, { unit }: Issued): boolean => ends === 'left-out' && unit > 1

/** Marks the date of a split as crowded, since it may have documents in neither half. */
const unproved = (walk: Walk, at: number): Walk => ({
  ...walk,
  crowded: onto(walk.crowded, [
    { date: dateTimeLike(at, walk.end.text), count: 0, from: at - DAY_US, to: at + DAY_US },
  ]),
})

function split(walk: Walk, page: PageFacts, { from, to, alike }: Part, at: number, rest: Onward): Walk {
  const half = (span: Span): Part => ({ ...span, like: digest(page), alike })
  const parts = [half({ from, to: at }), half({ from: Math.max(at, from + 1), to }), ...rest.parts]
  // A service that excludes both ends lists this instant in neither half; only a document of that very instant would reveal it.
  const seen = page.items.some(({ issued }) => issued?.instant === at && !hidesEnds(walk, issued))
  const known = walk.ends === 'left-out' && !seen ? unproved(walk, at) : walk
  return bisecting(known, { ...rest, parts, due: owed(page, at, rest.due) })
}

const digest = ({ items }: PageFacts): string => textHash(items.map(({ key }) => key).join('\n'))

/** Index of the date to split at: next to the end of an ordered page, so that one half equals it; else the median. */
function inner({ items }: PageFacts, dates: readonly Issued[]): number {
  const instants = items.flatMap(({ issued }) => (issued ? [issued.instant] : []))
  if (instants.every((at, i) => i === 0 || at >= (instants[i - 1] ?? at))) return dates.length - 2
  return instants.every((at, i) => i === 0 || at <= (instants[i - 1] ?? at)) ? 1 : dates.length >> 1
}

/** Documents that the halves must list again: a sample of the page, and one of the date of the split. */
function owed({ items }: PageFacts, at: number, due: readonly Due[]): readonly Due[] {
  const every = Math.max(1, Math.floor(items.length / DUE_KEPT))
  const known = new Set(due.map(({ key }) => key))
  const border = items.findIndex(({ issued }) => issued?.instant === at)
  const more = items.filter(({ key }, i) => (i % every === 0 || i === border) && !known.has(key))
  return [...due, ...more.map(({ key, issued }) => ({ key, issued }))]
}

/** Lists by document type a date with more documents than time separates, unless the sweep is already limited to one type. */
function crowded(walk: Walk, page: PageFacts, date: Issued | undefined, span: Span, rest: Onward): Walk {
  if (!date) return bisecting(walk, rest)
  const within = { from: Math.max(span.from, walk.begin), to: Math.min(span.to, walk.end.instant) }
  const parts = rest.parts.filter(({ from, to }) => from < within.from || to > within.to)
  const keys = page.items.map(({ key }) => key)
  if (walk.documentTypeId !== null || walk.types.length === 0)
    return bisecting(
      { ...walk, crowded: onto(walk.crowded, [{ date: date.text, count: keys.length, ...within }]) },
      { ...rest, parts },
    )
  const { types } = walk
  const crowd = { date, span: within, left: types, asked: types, shown: keys.length, missing: keys }
  return listing(walk, crowd, { ...rest, parts })
}

function datesOf({ items }: PageFacts): readonly Issued[] {
  const dates = new Map<number, Issued>()
  for (const { issued } of items) if (issued) dates.set(issued.instant, issued)
  return [...dates.values()].sort((a, b) => a.instant - b.instant)
}
