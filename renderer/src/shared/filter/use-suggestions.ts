import { useEffect, useState } from 'react'
import type { Suggestions } from '#core/filter/suggest.ts'
import { loadLanguage } from '@/shared/live/membership.ts'
import { useSettings } from '@/shared/live/settings.ts'
import type * as Module from './completions.ts'

type Completions = typeof Module.completions

const NONE: Suggestions = { from: 0, to: 0, items: [] }
let loaded: Completions | undefined

/**
 * Completions at the cursor. What makes them comes with the first focus, their counts a moment after they are shown.
 * @param wanted whether anything is to be offered at all
 * @param recalling offers whole filters used before instead
 */
export function useSuggestions(
  wanted: boolean,
  recalling: boolean,
  text: string,
  cursor: number,
): Omit<Suggestions, 'items'> & { readonly items: readonly Module.Offered[] } {
  const settings = useSettings((s) => s.settings)
  const [completions, setCompletions] = useState(loaded)
  const [counts, setCounts] = useState<Module.Counts | null>(null)
  useEffect(() => {
    if (!wanted || loaded) return
    void loadLanguage()
    void import('./completions.ts').then((module) => {
      loaded = module.completions
      setCompletions(module.completions)
    })
  }, [wanted])
  const endpoints = settings?.endpoints.map(({ name }) => name) ?? []
  const offered = wanted && completions ? completions.suggest(text, cursor, { endpoints }) : NONE
  const { field, from } = offered
  useEffect(() => {
    if (!completions || field === undefined) return
    return completions.askCounts(field, text, from, setCounts)
  }, [completions, field, from, text])
  if (wanted && recalling && completions) {
    const items = completions.recalled(settings?.savedFilters ?? [])
    return { from: 0, to: text.length, items }
  }
  if (!completions || counts === null || field !== counts.field) return offered
  return { ...offered, items: completions.withCounts(offered, text, counts) }
}
