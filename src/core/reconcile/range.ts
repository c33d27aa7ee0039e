import { readTimestamp } from '#catalog/date-time.ts'
import { PAGE_SIZE } from '#catalog/service.ts'
import { type AcuseError, badParam } from '#contract/errors.ts'
import type { SweepRange, SweepRequest } from '#contract/reconcile.ts'
import { instantOf, zonedText } from '../time/zone.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
/** The form that services accept; other ISO 8601 forms (weeks, ordinal dates, no separators) are refused instead of sent. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d/
const DAY_MS = 86_400_000

/** In the order in which they are swept. */
export function rangesOf(request: SweepRequest): readonly [SweepRange, ...SweepRange[]] {
  const { route, ...ends } = request
  if (route !== 'both') return [{ ...ends, route }]
  return [
    { ...ends, route: 'accounting' },
    { ...ends, route: 'treasury' },
  ]
}

/**
 * Completes a range to date-times with offset (readings, accounting-sync); a date alone means the whole day in the connection's zone.
 * @throws AcuseError `bad-params`, before anything is sent
 */
export function resolveRange(range: SweepRange, zone: string): SweepRange {
  const { route, pageSize } = range
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_SIZE.maximum)
    throw wrong(
      'pageSize',
      `a page has 1 to ${PAGE_SIZE.maximum} items, not ${pageSize}; give a number in between.`,
    )
  for (const end of ['from', 'to'] as const)
    if (route === 'accounting' && range[end] === null)
      throw wrong(end, 'accounting-sync needs both ends of the range; give a date such as 2026-10-01.')
  const from = range.from === null ? null : resolved('from', range.from, zone)
  const to = range.to === null ? null : resolved('to', range.to, zone)
  if (from && to && to.instant < from.instant)
    throw wrong(
      'to',
      `the end (${range.to}) is earlier than the beginning (${range.from}); give a later end.`,
    )
  return { ...range, from: from?.text ?? null, to: to?.text ?? null }
}

function resolved(end: 'from' | 'to', typed: string, zone: string): { instant: number; text: string } {
  const text = typed.trim()
  const read = readTimestamp(text)
  if (DAY.test(text)) {
    const day = Date.parse(`${text}T00:00:00Z`)
    // The round trip rejects dates such as 31 February, which Date.parse would shift.
    if (!Number.isNaN(day) && new Date(day).toISOString().startsWith(text)) {
      const instant =
        end === 'from' ? instantOf(zone, day) * 1_000 : instantOf(zone, day + DAY_MS) * 1_000 - 1
      // Microseconds beyond this range are not exact.
      if (!Number.isSafeInteger(instant))
        throw wrong(end, `"${text}" is too far away; give a date from 1685-01-01 to 2254-12-31.`)
      return { instant, text: zonedText(zone, instant) }
    }
  } else if (DATE_TIME.test(text)) {
    if ('instant' in read) return { instant: read.instant, text }
    if (read.problem === 'no-offset')
      throw wrong(
        end,
        `"${shown(text)}" has no offset from UTC; add one, such as ${shown(text)}-04:00, or give a date alone for the whole day.`,
      )
  }
  throw wrong(
    end,
    `"${shown(text)}" is not a date; give one such as 2026-10-01, or a date-time such as 2026-10-01T08:00:00-04:00.`,
  )
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function wrong(member: string, sentence: string): AcuseError {
  return badParam(`range.${member}`, `range.${member}: ${sentence}`)
}
