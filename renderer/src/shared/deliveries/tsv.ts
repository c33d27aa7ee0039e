import type { DeliveryRow } from '#contract/delivery.ts'
import type { ColumnId } from './columns.ts'

const two = (n: number, width = 2) => String(n).padStart(width, '0')

/** Local, as spreadsheets read it. */
function time(us: number): string {
  const at = new Date(us / 1_000)
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${two(at.getMilliseconds(), 3)}`
}

function columnValue(column: ColumnId, row: DeliveryRow): string | number | null {
  switch (column) {
    case 'time':
      return time(row.receivedAt)
    case 'kind':
      return row.event
    case 'document':
      return row.number ?? row.documentId
    case 'took':
      return row.tookUs === null ? null : row.tookUs / 1_000
    case 'tags':
      return row.tags.join(', ')
    case 'path':
      return row.url
    default:
      return row[column]
  }
}

/** Spreadsheets take what begins so for a formula, in their full-width forms as well, and look past quotes and blanks before it. */
const FORMULA = /^[\s'"\u{200b}\u{feff}]*[=+\-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}]/u

/** One line, and no formula: a spreadsheet must not compute text that a sender chose. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const line = value.replaceAll(/[\t\r\n\v\f\x85\u{2028}\u{2029}]+/gu, ' ')
  if (FORMULA.test(line)) return `'${line}`
  // A quote in front would swallow the cells and lines behind it up to the next one.
  return line.startsWith('"') ? `"${line.replaceAll('"', '""')}"` : line
}

/** Rows as tab-separated text, a line each, without a heading. Sizes are bytes, durations milliseconds. */
export const tsvOf = (rows: readonly DeliveryRow[], columns: readonly ColumnId[]): string[] =>
  rows.map((row) => columns.map((column) => cell(columnValue(column, row))).join('\t'))
