import { create } from 'zustand'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Sort } from '#contract/order.ts'
import type { SavedFilter } from '#contract/settings.ts'
import { SORT_KEYS } from '#contract/values.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { useSettings } from '@/shared/live/settings.ts'

/** The document's number, from this event or another; else its id. */
export function numberOf({ number, document, documentId }: DeliveryRow): string | null {
  return number ?? document?.number ?? documentId
}

function totalOf({ document }: DeliveryRow): string | null {
  return document?.total ?? null
}

interface Definition {
  readonly id: string
  readonly width: number
  /** Maximum width when there is room to grow, px. */
  readonly most?: number
  /** Grows only beyond this width of the list, px: other columns grow first. */
  readonly beyond?: number
  /** Right-aligns numbers, so that their digits line up. */
  readonly end?: boolean
  /** Width of the placeholder while a row loads, px: that of typical content. */
  readonly bar: number
  readonly value: (row: DeliveryRow) => string | number | Date | null
  readonly unit?: string
  /** Hidden until its values vary, unless the user shows it. */
  readonly varies?: boolean
  /** Hide priority when space is short, the highest first; columns without one always stay. */
  readonly spare?: number
}

/** The columns without `varies` fit 1280 px together with a scroll bar. With more space some grow up to `most`. */
const DEFINITIONS = [
  { id: 'time', width: 92, bar: 84, value: ({ receivedAt }) => new Date(receivedAt / 1_000) },
  // Fits the longest event name.
  { id: 'kind', width: 184, most: 340, bar: 120, value: ({ event }) => event },
  // Fits a number; with more space, a whole UUID.
  { id: 'document', width: 104, most: 272, beyond: 1_200, bar: 92, value: numberOf },
  {
    id: 'party',
    width: 120,
    most: 260,
    bar: 100,
    spare: 2,
    value: ({ document }) => document?.party ?? null,
  },
  { id: 'total', width: 112, most: 136, end: true, bar: 70, spare: 1, value: totalOf },
  { id: 'verdict', width: 88, bar: 48, value: ({ verdict }) => verdict },
  { id: 'tags', width: 80, most: 180, bar: 40, spare: 4, varies: true, value: ({ tags }) => tags.join(', ') },
  { id: 'answer', width: 56, bar: 24, spare: 7, value: ({ answer }) => answer },
  { id: 'attempts', width: 68, bar: 24, spare: 3, varies: true, value: ({ attempts }) => attempts },
  { id: 'size', width: 64, end: true, bar: 38, spare: 11, value: ({ size }) => size, unit: 'B' },
  {
    id: 'took',
    width: 66,
    end: true,
    bar: 40,
    spare: 10,
    value: ({ tookUs }) => tookUs && tookUs / 1_000,
    unit: 'ms',
  },
  {
    id: 'endpoint',
    width: 88,
    most: 170,
    bar: 52,
    spare: 5,
    varies: true,
    value: ({ endpoint }) => endpoint,
  },
  { id: 'method', width: 56, bar: 32, spare: 8, varies: true, value: ({ method }) => method },
  { id: 'path', width: 90, bar: 90, spare: 9, varies: true, value: ({ url }) => url },
] as const satisfies readonly Definition[]
export type ColumnId = (typeof DEFINITIONS)[number]['id']
export const COLUMNS: readonly (Definition & { readonly id: ColumnId })[] = DEFINITIONS

export const NARROWEST = 44
export const WIDEST = 900

export const columnNamed = (id: unknown) => COLUMNS.find((column) => column.id === id)

/** Column widths, px, without measuring. @param widths fixed by the user; others grow to `most`, the path or else the kind takes the rest */
export function tracksOf(visible: readonly ColumnId[], widths: Readonly<Partial<Record<ColumnId, number>>>) {
  const rest: ColumnId = visible.includes('path') ? 'path' : 'kind'
  const track = (id: ColumnId): string => {
    const own = widths[id]
    const { width, most, beyond } = columnNamed(id) ?? { width: 100 }
    if (own !== undefined) return `${own}px`
    if (id === rest) return `minmax(${width}px, 1fr)`
    if (most === undefined) return `${width}px`
    const limit = beyond === undefined ? `${most}px` : `clamp(${width}px, 100% - ${beyond}px, ${most}px)`
    return `minmax(${width}px, ${limit})`
  }
  return visible.map(track).join(' ')
}

/** Gap between two columns, px (grid.module.css). */
const GAP_PX = 8
/** Width of a verdict shown as its sign alone, px. */
const SIGN_PX = 22
/** When columns of this `spare` and above are hidden, the verdict loses its word. */
const SPARE_WORD = 6

/**
 * The columns that fit a width in px. @param kept columns that the user asked for; they are never hidden for lack of space
 * @returns short: whether the verdict shows only its sign, with that width in `widths`
 */
export function fitted(
  wanted: readonly ColumnId[],
  widths: ColumnLayout['widths'],
  kept: readonly ColumnId[],
  room: number,
) {
  const spareOf = (id: ColumnId) =>
    kept.includes(id) || widths[id] !== undefined ? 0 : (columnNamed(id)?.spare ?? 0)
  let visible = wanted
  let given = widths
  const fits = (sizes: ColumnLayout['widths']) =>
    visible.reduce((sum, id) => sum + (sizes[id] ?? columnNamed(id)?.width ?? 0) + GAP_PX, -GAP_PX) <= room
  for (let spare = 11; spare > 0 && !fits(given); spare--) {
    if (spare !== SPARE_WORD) visible = visible.filter((id) => spareOf(id) !== spare)
    else if (widths.verdict === undefined) given = { ...widths, verdict: SIGN_PX }
  }
  // Columns hidden after the word may have made room for it again.
  const short = given !== widths && !fits(widths)
  return { visible, widths: short ? given : widths, short }
}

export interface ColumnLayout {
  readonly order: readonly ColumnId[]
  readonly hidden: readonly ColumnId[]
  /** Columns that the user shows explicitly: they neither wait to vary nor hide when space is short. */
  readonly shown: readonly ColumnId[]
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>
  /** The sort order that the user selected; null or absent: order of arrival. */
  readonly sort?: Pick<Sort, 'by' | 'descending'> | null
}

/** The default layout, and the layouts of saved filters by lower-case filter name. */
export interface Layouts {
  readonly usual: ColumnLayout
  readonly filters: ReadonlyMap<string, ColumnLayout>
}

export const USUAL_LAYOUT: ColumnLayout = {
  order: COLUMNS.map(({ id }) => id),
  hidden: [],
  shown: [],
  widths: {},
}

const idsOf = (value: unknown): ColumnId[] =>
  Array.isArray(value) ? [...new Set(value.flatMap((id) => columnNamed(id)?.id ?? []))] : []

/** Validates a stored layout: drops unknown columns, adds new ones in their default place, limits widths, keeps one column visible. */
export function readLayout(stored: unknown): ColumnLayout | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { order, hidden, shown, widths, sort } = stored as Partial<Record<keyof ColumnLayout, unknown>>
  const known = idsOf(order)
  for (const [place, { id }] of COLUMNS.entries()) if (!known.includes(id)) known.splice(place, 0, id)
  const away = idsOf(hidden)
  const sizes: Partial<Record<ColumnId, number>> = {}
  if (typeof widths === 'object' && widths !== null)
    for (const [id, width] of Object.entries(widths)) {
      const column = columnNamed(id)
      if (column && typeof width === 'number' && width >= NARROWEST && width <= WIDEST)
        sizes[column.id] = Math.round(width)
    }
  const chosen = readSort(sort)
  return {
    order: known,
    hidden: away.length < COLUMNS.length ? away : [],
    shown: idsOf(shown).filter((id) => !away.includes(id)),
    widths: sizes,
    ...(chosen ? { sort: chosen } : {}),
  }
}

function readSort(stored: unknown): ColumnLayout['sort'] {
  if (typeof stored !== 'object' || stored === null) return null
  const { by, descending } = stored as { readonly by?: unknown; readonly descending?: unknown }
  const known = SORT_KEYS.find((key) => key === by)
  return known && typeof descending === 'boolean' ? { by: known, descending } : null
}

/** The columns that a layout shows before space limits. @param varied columns whose values vary */
export function columnsOf({ order, hidden, shown }: ColumnLayout, varied: ReadonlySet<ColumnId>): ColumnId[] {
  const on = order.filter(
    (id) => !hidden.includes(id) && (!columnNamed(id)?.varies || varied.has(id) || shown.includes(id)),
  )
  return on.length > 0 ? on : ['kind']
}

/** Above the maximum number of saved filters: limits leftovers and hand-made entries in storage. */
const MOST = 200

/** Validates stored layouts; also reads the older format with a single layout. */
export function readLayouts(stored: unknown): Layouts | undefined {
  const usual = readLayout(stored)
  if (!usual) return undefined
  const { filters } = stored as { readonly filters?: unknown }
  const entries = typeof filters === 'object' && filters !== null ? Object.entries(filters) : []
  return {
    usual,
    filters: new Map(
      entries.slice(0, MOST).flatMap(([name, one]): [string, ColumnLayout][] => {
        const layout = readLayout(one)
        return layout ? [[name, layout]] : []
      }),
    ),
  }
}

export function moved(order: readonly ColumnId[], id: ColumnId, target: ColumnId): ColumnId[] {
  const from = order.indexOf(id)
  const to = order.indexOf(target)
  if (from < 0 || to < 0 || from === to) return [...order]
  const rest = order.filter((other) => other !== id)
  rest.splice(to, 0, id)
  return rest
}

const KEY = 'columns'
const NOTHING: Layouts = { usual: USUAL_LAYOUT, filters: new Map() }

interface ColumnsStore {
  readonly layouts: Layouts
  /** Stores the layout of a saved filter, or the default one. @param layout null: the filter returns to the default */
  keep(filter: string | null, layout: ColumnLayout | null): void
}

const keyOf = (filter: string): string => filter.toLowerCase()

const stored = (): Layouts => remembered(KEY, readLayouts, NOTHING)

/** Reads storage again first, so that layouts stored by other windows are not lost. */
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

export const useColumnLayouts = create<ColumnsStore>()(() => ({
  layouts: stored(),
  keep: (filter, layout) =>
    change(
      filter === null
        ? ({ filters }) => ({ usual: layout ?? USUAL_LAYOUT, filters })
        : withFilter(filter, layout),
    ),
}))

export const layoutFor = (layouts: Layouts, filter: string | null): ColumnLayout =>
  (filter === null ? undefined : layouts.filters.get(keyOf(filter))) ?? layouts.usual

/** Name of the saved filter equal to the list's filter; null when there is none. */
export const savedAs = (saved: readonly SavedFilter[], filter: string): string | null =>
  filter === '' ? null : (saved.find((one) => one.filter.trim() === filter)?.name ?? null)

/** Layouts of removed filters, because the user may undo a removal. */
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

/** Keeps layouts in step with saved filters (removed, renamed, restored) and with changes in other windows. */
export function followSavedFilters(): void {
  useSettings.subscribe(({ settings }, { settings: before }) => {
    if (settings && before && settings.savedFilters !== before.savedFilters)
      follow(settings.savedFilters, before.savedFilters)
  })
  window.addEventListener('storage', ({ key }) => {
    if (key === `acuse.${KEY}`) useColumnLayouts.setState({ layouts: stored() })
  })
}

interface Varied {
  /** Columns whose values differ between rows; constant and empty columns are left out. */
  readonly varied: ReadonlySet<ColumnId>
}

export const useVaried = create<Varied>()(() => ({ varied: new Set() }))

/** First request target seen at each endpoint. */
const targets = new Map<string, string>()

export function addVaried(...ids: readonly ColumnId[]): void {
  const { varied } = useVaried.getState()
  if (ids.some((id) => !varied.has(id))) useVaried.setState({ varied: new Set([...varied, ...ids]) })
}

/** Records from a row which columns vary. */
export function seeRow({ endpoint, method, url, tags, attempts }: DeliveryRow): void {
  const first = targets.get(endpoint)
  if (first === undefined) targets.set(endpoint, url)
  else if (first !== url) addVaried('path')
  if (targets.size > 1) addVaried('endpoint')
  if (method !== 'POST') addVaried('method')
  if (tags.length > 0) addVaried('tags')
  if (attempts > 0) addVaried('attempts')
}
