import type { Parsed } from '#core/filter/parse.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { Membership } from './delivery-set.ts'

type Language = typeof import('./language.ts')

let language: Language | undefined
let loading: Promise<Language> | undefined
/** Caches the last result, because a filter is parsed on every keystroke and again for every set opened with it. */
let last: { readonly text: string; readonly parsed: Parsed } | undefined

/** Loads the filter language, which the first draw does not need. Idempotent. */
export async function loadLanguage(): Promise<Language> {
  loading ??= import('./language.ts')
  language = await loading
  return language
}

/** @returns undefined until the language is loaded */
export function parsed(text: string): Parsed | undefined {
  if (text.trim() === '') return { ok: true, filter: EVERYTHING }
  if (!language) return undefined
  if (last?.text !== text) last = { text, parsed: language.parseFilter(text) }
  return last.parsed
}

/** Predicate of a filter for pushed rows. An invalid filter matches nothing: the host refuses it anyway. */
export function membershipOf(text: string): Membership {
  if (text.trim() === '') return () => true
  let minute = 0
  let result = parsed(text)
  return (row) => {
    if (!language) return undefined
    // Relative times change their meaning every minute.
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute || !result) result = language.parseFilter(text)
    minute = now
    if (!result.ok) return false
    const match = language.matches(result.filter, row)
    return match === 'unknown' ? undefined : match
  }
}
