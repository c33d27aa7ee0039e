import { COLUMNS, type ColumnId, columnNamed, NARROWEST, WIDEST } from './columns.ts'

/** What is remembered of the columns. */
export interface ColumnLayout {
  readonly order: readonly ColumnId[]
  readonly hidden: readonly ColumnId[]
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>
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
  const { order, hidden, widths } = stored as Partial<Record<keyof ColumnLayout, unknown>>
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
  return { order: known, hidden: away.length < COLUMNS.length ? away : [], widths: sizes }
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
