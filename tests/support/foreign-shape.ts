import { accountingCells, type Cell, type Cells, type ForeignDocument } from './foreign-ledger.ts'

/** Form of a service's items; the specification leaves every one of these choices open. */
export interface ForeignShape {
  readonly spelling: 'Pascal' | 'camel' | 'snake' | 'kebab' | 'UPPER'
  /** `member`: inside Accounting; `flat`: on the item; `data`: all of the item in `data`; `inside`: all of it inside Accounting. */
  readonly nesting: 'member' | 'flat' | 'data' | 'inside'
  /** Name of an object around the item. */
  readonly wrapper: string | null
  readonly numbers: 'number' | 'text'
  /** Decimals: unchanged, without trailing zeros, or with one more zero. */
  readonly digits: 'kept' | 'short' | 'long'
  readonly zone: 'offset' | 'Z' | 'none'
  /** Minutes east of UTC, where an offset or local time is written. */
  readonly offset: number
  readonly precision: 'day' | 'minute' | 'second' | 'milli' | 'micro' | 'tick'
  /** `other`: ids that differ from those in webhooks. */
  readonly ids: 'plain' | 'UPPER' | 'braces' | 'bare' | 'other'
  /** Members missing from the item. */
  readonly without: readonly string[]
}

export const PLAIN_SHAPE: ForeignShape = {
  ...{ spelling: 'Pascal', nesting: 'member', wrapper: null, numbers: 'number', digits: 'kept' },
  ...{ zone: 'offset', offset: -240, precision: 'micro', ids: 'plain', without: [] },
}

export function writeItem(document: ForeignDocument, shape: ForeignShape): string {
  const own: Cells = [
    ['DocumentId', IDS[shape.ids](document.id)],
    ['Number', document.number],
    ['StatusId', { digits: String(document.status) }],
    ['IssuedAt', { instant: document.issued }],
    ['DocumentTypeId', { digits: String(document.code) }],
    ['IsAnulated', document.voided],
    [document.group === 'factura' ? 'CustomerName' : 'SupplierName', document.party],
  ]
  const kept = own.filter(([name]) => !shape.without.includes(name))
  const accounting = accountingCells(document).filter(([name]) => !shape.without.includes(name))
  const named = new Set(kept.map(([name]) => name))
  const others = accounting.filter(([name]) => !named.has(name))
  const name = (plain: string) => JSON.stringify(spelt(plain, shape.spelling))
  const flat = objectOf([...kept, ...others], shape)
  const member = `{${members(kept, shape)},${name('Accounting')}:${objectOf(accounting, shape)}}`
  const inside = `{${name('Accounting')}:${flat}}`
  const nested = { flat, member, inside, data: `{${name('Data')}:${member}}` }[shape.nesting]
  return shape.wrapper === null ? nested : `{${name(shape.wrapper)}:${nested}}`
}

const objectOf = (cells: Cells, shape: ForeignShape): string => `{${members(cells, shape)}}`
const members = (cells: Cells, shape: ForeignShape): string =>
  cells
    .map(([name, cell]) => `${JSON.stringify(spelt(name, shape.spelling))}:${written(cell, shape)}`)
    .join(',')

function written(cell: Cell, shape: ForeignShape): string {
  if (cell === null || typeof cell !== 'object') return JSON.stringify(cell)
  if ('instant' in cell) return JSON.stringify(writeDate(cell.instant, shape))
  if (!('digits' in cell)) return '[]'
  const whole = !cell.digits.includes('.')
  const short = whole ? cell.digits : cell.digits.replace(/\.?0+$/, '')
  const long = whole ? short : short.includes('.') ? `${short}0` : `${short}.0`
  const digits = { kept: cell.digits, short, long }[shape.digits]
  return shape.numbers === 'text' ? JSON.stringify(digits) : digits
}

/** Formats a date as the service does. @param instant microseconds since the epoch */
export function writeDate(
  instant: number,
  { zone, offset, precision }: Pick<ForeignShape, 'zone' | 'offset' | 'precision'>,
): string {
  const east = zone === 'Z' ? 0 : offset
  const micros = ((instant % 1_000_000) + 1_000_000) % 1_000_000
  const local = new Date((instant - micros) / 1_000 + east * 60_000).toISOString()
  if (precision === 'day') return local.slice(0, 10)
  const fraction = String(micros).padStart(6, '0')
  const time = {
    minute: local.slice(0, 16),
    second: local.slice(0, 19),
    milli: `${local.slice(0, 19)}.${fraction.slice(0, 3)}`,
    micro: `${local.slice(0, 19)}.${fraction}`,
    tick: `${local.slice(0, 19)}.${fraction}0`,
  }[precision]
  if (zone !== 'offset') return zone === 'Z' ? `${time}Z` : time
  const away = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time}${offset < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
}

const IDS: Readonly<Record<ForeignShape['ids'], (id: string) => string>> = {
  plain: (id) => id,
  UPPER: (id) => id.toUpperCase(),
  braces: (id) => `{${id}}`,
  bare: (id) => id.replaceAll('-', ''),
  other: (id) => otherId(id),
}

/** Maps a document's id to the service's separate id, and back. */
export const otherId = (id: string): string =>
  [...id].map((one) => (one === '-' ? one : (15 - Number.parseInt(one, 16)).toString(16))).join('')

const apart = (name: string, mark: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, mark).toLowerCase()
const SPELLINGS: Readonly<Record<ForeignShape['spelling'], (name: string) => string>> = {
  Pascal: (name) => name,
  camel: (name) => name.slice(0, 1).toLowerCase() + name.slice(1),
  snake: (name) => apart(name, '_'),
  kebab: (name) => apart(name, '-'),
  UPPER: (name) => name.toUpperCase(),
}
export const spelt = (name: string, spelling: ForeignShape['spelling']): string => SPELLINGS[spelling](name)
