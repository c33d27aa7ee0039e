import { EXPORT_COLUMNS } from '#contract/transfer.ts'
import type { MaskedDelivery } from '../delivery.ts'
import { bodyMembers, deliveryRecord, eventRecord } from '../records.ts'
import { cell } from '../text.ts'
import { each, type Format, type WriteOptions } from './format.ts'

/** One JSON object per line, with the members of `acuse events --json`. */
export const ndjson: Format = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  hasBodies: ({ bodies }) => bodies,
  write: each((delivery, { bodies }) => {
    const record = bodies
      ? { ...deliveryRecord(delivery), ...bodyMembers(delivery) }
      : eventRecord(delivery.detail)
    return `${JSON.stringify(record)}\n`
  }),
}

type Column = (typeof EXPORT_COLUMNS)[number]

function cellOf(delivery: MaskedDelivery, column: Column): unknown {
  const { detail } = delivery
  switch (column) {
    case 'findings':
      return detail.findingList.map(({ code, pointer }) => `${code} ${pointer}`.trim())
    case 'malformed':
    case 'remoteAddress':
    case 'event':
    case 'timestamp':
    case 'tookUs':
    case 'attempts':
      return detail[column]
    default:
      return eventRecord(detail)[column]
  }
}

const shownIn = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(' ')
  return value === null || value === undefined ? '' : String(value)
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
const columnsOf = ({ columns }: WriteOptions): readonly Column[] =>
  columns
    ? EXPORT_COLUMNS.filter((one) => columns.includes(one)).sort(
        (a, b) => columns.indexOf(a) - columns.indexOf(b),
      )
    : EXPORT_COLUMNS

/** For spreadsheets, with a byte order mark, without which they misread UTF-8. No cell is a formula. */
export const csv: Format = {
  extension: 'csv',
  mediaType: 'text/csv',
  hasBodies: () => false,
  write: each(
    (delivery, options) => line(columnsOf(options).map((column) => shownIn(cellOf(delivery, column)))),
    (options) => `\u{feff}${line(columnsOf(options))}`,
  ),
}
