import { text as both } from '#catalog/text.ts'
import type { Result } from '#contract/commands.ts'
import type { SavedFilter } from '#contract/settings.ts'
import { COUNTED_FIELDS } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { type Suggestion, type Suggestions, suggest } from '#core/filter/suggest.ts'
import { tokenize } from '#core/filter/tokens.ts'
import { api } from '@/shared/live/api.ts'
import { filterHistory } from '@/shared/live/remembered.ts'

export interface Offered extends Suggestion {
  readonly count?: { readonly n: number; readonly exact: boolean }
}

/** Values of these are worth offering though the language does not list them. */
const OPEN_VALUES: ReadonlySet<string> = new Set(['status', 'method', 'answer', 'endpoint', 'tag'])
const PAUSE_MS = 120

function recalled(saved: readonly SavedFilter[]): readonly Offered[] {
  const named = saved.map(({ name, filter }) => ({ insert: filter, meaning: { en: name, es: name } }))
  const past = filterHistory().filter((one) => !saved.some(({ filter }) => filter === one))
  return [...named, ...past.map((insert) => ({ insert, meaning: { en: '', es: '' } }))]
}

export type Counts = Result<'filter.counts'> & { readonly field: string }

/** The filter without the condition that is being typed; everything where the rest alone means nothing. */
function without(text: string, at: number): string {
  const cut = tokenize(text)
  const token = cut.ok ? cut.tokens.find(({ start, end }) => start <= at && at <= end) : undefined
  const rest = token ? `${text.slice(0, token.start)} ${text.slice(token.end)}`.trim() : ''
  return parseFilter(rest).ok ? rest : ''
}

/** @returns null for a field that is not counted, and where the host refuses */
async function countsOf(field: string, text: string, at: number): Promise<Counts | null> {
  const counted = COUNTED_FIELDS.find((known) => known === field)
  if (!counted) return null
  const answer = await api
    .call('filter.counts', { field: counted, filter: without(text, at) })
    .catch(() => null)
  return answer && { ...answer, field }
}

/** Asks after a pause in typing. @returns what cancels it */
function askCounts(
  field: string,
  text: string,
  at: number,
  take: (counts: Counts | null) => void,
): () => void {
  let wanted = true
  const timer = setTimeout(() => {
    void countsOf(field, text, at).then((counts) => {
      if (wanted) take(counts)
    })
  }, PAUSE_MS)
  return () => {
    wanted = false
    clearTimeout(timer)
  }
}

/** The completions with their counts, and values that occur but are in no list. */
function withCounts(offered: Suggestions, text: string, { counts, exact, field }: Counts): Offered[] {
  const known = new Map(counts.map(({ value, count }) => [value, { n: count, exact }]))
  const typed = text.slice(offered.from, offered.to).toLowerCase()
  const listed = offered.items.map((item): Offered => {
    const count = known.get(item.insert)
    return count ? { ...item, count } : item
  })
  const others = counts.filter(
    ({ value }) =>
      OPEN_VALUES.has(field) &&
      value.toLowerCase().startsWith(typed) &&
      !offered.items.some(({ insert }) => insert === value),
  )
  const fresh = others.map(
    ({ value, count }): Offered => ({ insert: value, meaning: both('', ''), count: { n: count, exact } }),
  )
  // What was offered stays where it was: counts arrive while the user chooses.
  return [...listed, ...fresh]
}

export const completions = { suggest, recalled, askCounts, withCounts }
