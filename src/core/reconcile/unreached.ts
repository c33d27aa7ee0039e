import { readTimestamp } from '../checks/timestamp.ts'
import type { Moment, Span, Walk } from './walk.ts'

/**
 * Issue dates of which a walk over accounting-sync cannot say that it listed all documents: what lies before it, dates with more documents
 * than came, and dates that still wait for a type seen later. A captured document of these dates that the sweep does not list proves nothing
 * (readings, Reconciling: *webhook only* is what the service does not list). Rising, none touching the next; empty when all was listed.
 */
export function unreached(walk: Walk): readonly Span[] {
  const dates = [...crowdedDates(walk), ...waitingDates(walk)]
  return merged([...ahead(walk), ...dates.map((at) => ({ from: at, to: at }))])
}

function ahead(walk: Walk): readonly Span[] {
  const rest = ({ instant }: Moment): Span => ({ from: instant, to: walk.end.instant })
  switch (walk.mode) {
    case 'walk':
      // The date itself as well: pages overlap in it, and more of it may follow.
      return [rest(walk.from)]
    case 'types': {
      const { date, onward } = walk
      return onward ? [{ from: date.instant, to: date.instant }, ...onward.bisect] : [rest(date)]
    }
    case 'bisect':
      return walk.spans
    case 'done':
      return walk.left ?? []
  }
}

function crowdedDates({ crowded }: Walk): readonly number[] {
  return crowded.flatMap(({ date }) => {
    const read = readTimestamp(date)
    return 'instant' in read ? [read.instant] : []
  })
}

function waitingDates({ byType, types }: Walk): readonly number[] {
  return byType.flatMap((listed) =>
    types.every((type) => listed.types.includes(type)) ? [] : [listed.date.instant],
  )
}

function merged(spans: readonly Span[]): readonly Span[] {
  const found: { from: number; to: number }[] = []
  for (const { from, to } of spans.filter((span) => span.from <= span.to).sort((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}
