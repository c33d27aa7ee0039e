import type { DeliveryRow } from '#contract/delivery.ts'
import { local } from './records.ts'
import { visible } from './visible.ts'

interface Column {
  readonly title: string
  readonly width: number
  readonly right?: boolean
  readonly cell: (row: DeliveryRow) => string
}

const NOTHING = '–'
const COLUMNS: readonly Column[] = [
  { title: 'ID', width: 8, right: true, cell: (row) => String(row.id) },
  { title: 'RECEIVED', width: 23, cell: (row) => local(row.receivedAt) },
  { title: 'ENDPOINT', width: 12, cell: (row) => row.endpoint },
  { title: 'METHOD', width: 6, cell: (row) => row.method },
  { title: 'EVENT', width: 30, cell: (row) => row.event ?? row.url },
  { title: 'DOCUMENT', width: 36, cell: (row) => row.documentId ?? NOTHING },
  { title: 'VERDICT', width: 10, cell: (row) => row.verdict ?? NOTHING },
  { title: 'ANSWER', width: 6, right: true, cell: (row) => String(row.answer ?? NOTHING) },
  { title: 'SIZE', width: 9, right: true, cell: (row) => String(row.size) },
  { title: 'MARKS', width: 0, cell: marks },
]

/** Deliveries as lines for people; captured text is made harmless and cut to its column. */
export class EventTable {
  readonly #columns: number

  /** @param columns width of the screen; lines are cut there */
  constructor(columns: number) {
    this.#columns = columns
  }

  head(): string {
    return this.#line((column) => column.title)
  }

  row(row: DeliveryRow): string {
    return this.#line((column) => column.cell(row))
  }

  #line(content: (column: Column) => string): string {
    const cells = COLUMNS.map((column) => {
      const text = visible(content(column))
      if (column.width === 0) return text
      const cut = text.length > column.width ? `${text.slice(0, column.width - 1)}…` : text
      return column.right ? cut.padStart(column.width) : cut.padEnd(column.width)
    })
    return `${cells.join('  ').trimEnd().slice(0, this.#columns)}\n`
  }
}

function marks(row: DeliveryRow): string {
  return [
    ...(row.rejected ? ['rejected'] : []),
    ...(row.malformed ? [row.malformed] : []),
    ...row.marks,
    ...(row.note ? ['note'] : []),
    ...row.tags.map((tag) => `#${tag}`),
  ].join(', ')
}
