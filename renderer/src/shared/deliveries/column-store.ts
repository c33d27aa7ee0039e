import { create } from 'zustand'
import type { SavedFilter } from '#contract/settings.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { type ColumnLayout, type Layouts, readLayouts, USUAL_LAYOUT } from './column-layout.ts'

/** As `remembered` names it in storage. */
const KEY = 'columns'
const NOTHING: Layouts = { usual: USUAL_LAYOUT, filters: new Map() }

interface ColumnsStore {
  readonly layouts: Layouts
  /**
   * Keeps a layout: of the saved filter that is looked at, else of all that have none of their own.
   * @param layout null: none of its own any more
   */
  keep(filter: string | null, layout: ColumnLayout | null): void
}

/** Saved filters are told apart ignoring case. */
const keyOf = (filter: string): string => filter.toLowerCase()

const stored = (): Layouts => remembered(KEY, readLayouts, NOTHING)

/** Other windows keep layouts too: what they kept since is not to be lost. */
function change(to: (layouts: Layouts) => Layouts): void {
  const layouts = to(stored())
  remember(KEY, { ...layouts.usual, filters: Object.fromEntries(layouts.filters) })
  useColumnLayouts.setState({ layouts })
}

const withFilter =
  (filter: string, layout: ColumnLayout | null) =>
  ({ usual, filters }: Layouts): Layouts => {
    const rest = new Map(filters)
    if (layout) rest.set(keyOf(filter), layout)
    else rest.delete(keyOf(filter))
    return { usual, filters: rest }
  }

/** Layouts of columns: the usual one, and those of saved filters that have one of their own. */
export const useColumnLayouts = create<ColumnsStore>()(() => ({
  layouts: stored(),
  keep: (filter, layout) =>
    change(
      filter === null
        ? ({ filters }) => ({ usual: layout ?? USUAL_LAYOUT, filters })
        : withFilter(filter, layout),
    ),
}))

/** The layout that a saved filter is looked at with. */
export const layoutFor = (layouts: Layouts, filter: string | null): ColumnLayout =>
  (filter === null ? undefined : layouts.filters.get(keyOf(filter))) ?? layouts.usual

/** The saved filter that a list's filter is; null when it is none. */
export const savedAs = (saved: readonly SavedFilter[], filter: string): string | null =>
  filter === '' ? null : (saved.find((one) => one.filter.trim() === filter)?.name ?? null)

/** Layouts of removed filters: a removal may be taken back. */
const gone = new Map<string, { readonly filter: string; readonly layout: ColumnLayout }>()

function follow(now: readonly SavedFilter[], before: readonly SavedFilter[]): void {
  const missing = before.filter((one) => !now.some(({ name }) => keyOf(name) === keyOf(one.name)))
  const fresh = now.filter((one) => !before.some(({ name }) => keyOf(name) === keyOf(one.name)))
  for (const one of missing) {
    const layout = stored().filters.get(keyOf(one.name))
    if (!layout) continue
    const renamed = fresh.find(({ filter }) => filter === one.filter)
    if (!renamed) gone.set(keyOf(one.name), { filter: one.filter, layout })
    change((layouts) => {
      const rest = withFilter(one.name, null)(layouts)
      return renamed ? withFilter(renamed.name, layout)(rest) : rest
    })
  }
  for (const one of fresh) {
    const back = gone.get(keyOf(one.name))
    gone.delete(keyOf(one.name))
    if (back?.filter === one.filter) change(withFilter(one.name, back.layout))
  }
}

/** From now on a layout goes with its filter: removed with it, renamed with it, and there again when it is. Other windows are heard. */
export function followSavedFilters(): void {
  useSettings.subscribe(({ settings }, { settings: before }) => {
    if (settings && before && settings.savedFilters !== before.savedFilters)
      follow(settings.savedFilters, before.savedFilters)
  })
  window.addEventListener('storage', ({ key }) => {
    if (key === `acuse.${KEY}`) useColumnLayouts.setState({ layouts: stored() })
  })
}
