import { spanOf } from '#core/filter/spans.ts'

const DAY = 86_400_000
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY }
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const AGO = /^[-−](\d{1,5}) ?([smhdw])$/
/** Words of both languages, whatever the window's language. */
const WORDS: Readonly<Record<string, string>> = { hoy: 'today', ayer: 'yesterday' }

/** Parses `14:05` (its latest occurrence), `2026-11-01T10:00`, `-2h` or `today`; local without an offset. @returns milliseconds; null: invalid */
export function readInstant(typed: string, now: number): number | null {
  const text = typed.trim().toLowerCase()
  const clock = CLOCK.exec(text)
  if (clock) {
    const date = new Date(now)
    date.setHours(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0), 0)
    if (date.getTime() > now) date.setDate(date.getDate() - 1)
    return date.getTime()
  }
  const ago = AGO.exec(text)
  if (ago) return atLeast(now - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0))
  const named = WORDS[text] ?? text.replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, '$1t')
  // Ranges, comparisons and `last-…` are not a single instant.
  if (/[.]{2}|[<>]|last-/.test(named)) return null
  const span = spanOf(named, { now: () => now })
  return span?.from == null ? null : atLeast(Math.ceil(span.from / 1_000))
}

const atLeast = (instant: number): number | null => (instant >= 0 ? instant : null)
