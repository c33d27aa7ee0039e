import { edgesOf, restFrom, type Span, type Walk } from './walk.ts'

/**
 * Issue dates of which a walk over accounting-sync cannot say that it listed all documents: what lies before it, dates with more documents
 * than came, and dates that still wait for a type seen later. A captured document of these dates that the sweep does not list proves nothing
 * (readings, Reconciling: *webhook only* is what the service does not list). Rising, none touching the next; empty when all was listed.
 */
export function unreached(walk: Walk): readonly Span[] {
  const waiting = walk.byType.filter((listed) => walk.types.some((type) => !listed.types.includes(type)))
  const { begin, end, ends } = walk
  const spans = [...ahead(walk), ...walk.crowded, ...waiting.map(({ span }) => span)]
  if (ends === 'listed') return merged(spans)
  if (ends === 'coarse') return merged([...spans, ...edgesOf(walk)])
  // A service that leaves out the dates at which the range is parted may lack a document of any of them. Before it has shown which
  // dates it leaves out, that may be all of them.
  return ends === 'left-out' && spans.length === 0 ? [] : [{ from: begin, to: end.instant }]
}

function ahead(walk: Walk): readonly Span[] {
  switch (walk.mode) {
    case 'walk':
      // The date itself as well: pages overlap in it, and more of it may follow.
      return [restFrom(walk, walk.from.instant)]
    case 'types':
    case 'bisect': {
      const { parts, onward } = walk
      const rest = onward ? [restFrom(walk, onward.date.instant)] : []
      return walk.mode === 'types' ? [walk.span, ...parts, ...rest] : [...parts, ...rest]
    }
    case 'done':
      return walk.left ?? []
  }
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
