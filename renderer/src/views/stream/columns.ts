/**
 * Columns of the list in their usual order; widths in px. The last one shown takes what is left of the width. Together they fit a window
 * of 1280 px: what is cut off at the end is not found by who does not look for it.
 */
export const COLUMNS = [
  { id: 'time', width: 96 },
  { id: 'kind', width: 200 },
  { id: 'document', width: 118 },
  { id: 'verdict', width: 92 },
  { id: 'tags', width: 80 },
  { id: 'answer', width: 60 },
  { id: 'size', width: 64, end: true },
  { id: 'attempts', width: 70, end: true },
  { id: 'took', width: 66, end: true },
  { id: 'endpoint', width: 88 },
  { id: 'method', width: 56 },
  { id: 'path', width: 106 },
] as const satisfies readonly { id: string; width: number; end?: boolean }[]
export type ColumnId = (typeof COLUMNS)[number]['id']

export const NARROWEST = 44
export const WIDEST = 900

export const columnNamed = (id: unknown): (typeof COLUMNS)[number] | undefined =>
  COLUMNS.find((column) => column.id === id)

/** Figures stand at the end of their column, so that their digits compare. */
export const isEnd = (id: ColumnId): boolean => id === 'size' || id === 'took' || id === 'attempts'
