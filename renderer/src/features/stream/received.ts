import { spanOf } from '#core/filter/spans.ts'
import type { Stretch } from './stretch.ts'

/**
 * The stretch that the filter's `received:` selects, for drawing it.
 * @param values of the condition
 * @param now milliseconds since the epoch: where a stretch without an end ends
 * @returns null when there is none, several, or one without a beginning
 */
export function receivedIn([value, other]: readonly string[], now: number): Stretch | null {
  if (value === undefined || other !== undefined) return null
  const span = spanOf(value, { now: () => now })
  if (!span || span.from === null) return null
  const from = span.from / 1_000
  const to = span.to === null ? now : (span.to + 1) / 1_000
  return to > from ? { from, to } : null
}
