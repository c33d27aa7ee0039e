import type { Sort } from '#contract/order.ts'
import { SORT_KEYS } from '#contract/values.ts'
import { COLUMNS, type ColumnId, columnNamed, NARROWEST, WIDEST } from './columns.ts'

/** What is remembered of the columns. */
export interface ColumnLayout {
  readonly order: readonly ColumnId[]
  readonly hidden: readonly ColumnId[]
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>
  /** An order of the rows that was chosen; null or absent: that of arrival. */
  readonly sort?: Pick<Sort, 'by' | 'descending'> | null
}

/** The layout of the list, and those of saved filters that have one of their own, by their names in lower case. */
export interface Layouts {
  readonly usual: ColumnLayout
  readonly filters: ReadonlyMap<string, ColumnLayout>
}

export const USUAL_LAYOUT: ColumnLayout = { order: COLUMNS.map(({ id }) => id), hidden: [], widths: {} }

const idsOf = (value: unknown): ColumnId[] =>
  Array.isArray(value) ? [...new Set(value.flatMap((id) => columnNamed(id)?.id ?? []))] : []

/**
 * Reads a remembered layout, whatever it holds: unknown columns are dropped, missing ones (new in this version) take their usual
 * place, widths are kept within sense, and at least one column stays visible.
 */
export function readLayout(stored: unknown): ColumnLayout | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { order, hidden, widths, sort } = stored as Partial<Record<keyof ColumnLayout, unknown>>
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

/** More than there can be saved filters: what was stored by hand, or left over, must not grow. */
const MOST = 200

/** Reads remembered layouts, whatever they hold; of before saved filters had theirs there is the one. */
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

/** The order with `id` moved to the place of `target`. */
export function moved(order: readonly ColumnId[], id: ColumnId, target: ColumnId): ColumnId[] {
  const from = order.indexOf(id)
  const to = order.indexOf(target)
  if (from < 0 || to < 0 || from === to) return [...order]
  const rest = order.filter((other) => other !== id)
  rest.splice(to, 0, id)
  return rest
}
