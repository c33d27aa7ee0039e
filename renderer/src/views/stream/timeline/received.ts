import type { Stretch } from './stretch.ts'

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:t(\d\d):(\d\d)(?::(\d\d))?)?$/

/** Milliseconds at which the local day, minute or second begins, and at which the next one does. */
function ends(text: string): Stretch | undefined {
  const found = TIME.exec(text)
  if (!found) return undefined
  const [year = 0, month = 1, day = 1, hour, minute, second] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const at = (...[d, m, s]: [number, number, number]) =>
    new Date(year, month - 1, d, hour ?? 0, m, s).getTime()
  const from = at(day, minute ?? 0, second ?? 0)
  if (hour === undefined) return { from, to: at(day + 1, 0, 0) }
  if (second === undefined) return { from, to: from + 60_000 }
  return { from, to: from + 1_000 }
}

/**
 * The stretch that `received:a..b` selects.
 * @param values of the filter's condition, in lower case
 * @returns null when there is none, or one without two ends
 */
export function receivedIn([value, other]: readonly string[]): Stretch | null {
  if (value === undefined || other !== undefined) return null
  const [low = '', high = low] = value.split('..')
  const [first, last] = [ends(low), ends(high)]
  return first && last && last.to > first.from ? { from: first.from, to: last.to } : null
}
