import { matches } from '#core/filter/matches.ts'
import { type Parsed, parseFilter } from '#core/filter/parse.ts'
import type { Membership } from './delivery-set.ts'

/** A filter is parsed on every keystroke and again for every set opened with it: the last result is kept. */
let last: { readonly text: string; readonly parsed: Parsed } | undefined

export function parsed(text: string): Parsed {
  if (last?.text !== text) last = { text, parsed: parseFilter(text) }
  return last.parsed
}

/** How pushed rows are judged against a filter. One that does not parse takes nothing: the host refuses it anyway. */
export function membershipOf(text: string): Membership {
  const result = parsed(text)
  if (!result.ok) return () => false
  return (row) => {
    const match = matches(result.filter, row)
    return match === 'unknown' ? undefined : match
  }
}
