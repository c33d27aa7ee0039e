/**
 * Columns of the list in their usual order; widths in px. Together they fit a window of 1280 px beside a scroll bar: what is cut off at
 * the end is not found by who does not look for it. Of more room, columns of which more can be read grow first, to `most`.
 */
export const COLUMNS = [
  { id: 'time', width: 96 },
  { id: 'kind', width: 200, most: 340 },
  // A whole UUID.
  { id: 'document', width: 118, most: 272 },
  { id: 'verdict', width: 92 },
  { id: 'tags', width: 80, most: 180 },
  { id: 'answer', width: 60 },
  { id: 'size', width: 64, end: true },
  { id: 'attempts', width: 70, end: true },
  { id: 'took', width: 66, end: true },
  { id: 'endpoint', width: 88, most: 170 },
  { id: 'method', width: 56 },
  { id: 'path', width: 90 },
] as const satisfies readonly { id: string; width: number; most?: number; end?: boolean }[]
export type ColumnId = (typeof COLUMNS)[number]['id']

export const NARROWEST = 44
export const WIDEST = 900

export const columnNamed = (id: unknown): (typeof COLUMNS)[number] | undefined =>
  COLUMNS.find((column) => column.id === id)

/**
 * Tracks for `grid-template-columns`, px, so that rows are laid out in all the room there is without being measured.
 * @param widths columns that are just as wide as this; the others grow: to what they can use, and what is left goes to the path or, where
 * that is hidden, to the kind
 */
export function tracksOf(visible: readonly ColumnId[], widths: Readonly<Partial<Record<ColumnId, number>>>) {
  const rest: ColumnId = visible.includes('path') ? 'path' : 'kind'
  const track = (id: ColumnId): string => {
    const own = widths[id]
    const column: { readonly width: number; readonly most?: number } = columnNamed(id) ?? { width: 100 }
    if (own !== undefined) return `${own}px`
    if (id === rest) return `minmax(${column.width}px, 1fr)`
    return column.most === undefined ? `${column.width}px` : `minmax(${column.width}px, ${column.most}px)`
  }
  return visible.map(track).join(' ')
}

/** Figures stand at the end of their column, so that their digits compare. */
export const isEnd = (id: ColumnId): boolean => COLUMNS.some((column) => column.id === id && 'end' in column)
