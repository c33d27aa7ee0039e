import { chance } from '../data/random.ts'
import type { Laboratory } from './laboratory.ts'

type Item = Readonly<Record<string, unknown>>
type SyncSettings = Laboratory['sync']

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** Whether items go out as they are, so that their stored text can be sent without being read. */
export const leavesItems = ({ casing, nesting, reduce }: SyncSettings): boolean =>
  casing === 'documented' && nesting === 'documented' && reduce === 'none'

/** What Node's JSON can and TypeScript's libraries do not know yet. */
interface SourceJson {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}
const sourceJson = JSON as unknown as SourceJson

/** An item's text with its numbers kept as the digits that stand there: 14.00 must not become 14 on its way through. */
export const parsed = (json: string): Item =>
  sourceJson.parse(json, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? sourceJson.rawJSON(source) : value,
  ) as Item

/** The same item as another service might have written it: the item's shape is not shown, so a client must cope. */
export function reshape(item: Item, settings: SyncSettings): Item {
  const nested = nest(reduce(item, settings.reduce), settings.nesting)
  return settings.casing === 'documented' ? nested : (respell(nested, settings.casing) as Item)
}

function reduce(item: Item, how: SyncSettings['reduce']): Item {
  if (how === 'none') return item
  const { DocumentId, Number: number, Accounting } = item
  return how === 'id-accounting' ? { DocumentId, Accounting } : { Number: number, Accounting }
}

function nest(item: Item, how: SyncSettings['nesting']): Item {
  if (how === 'documented') return item
  if (how === 'data') return { data: item }
  const { Accounting, ...rest } = item
  return { Accounting: { ...rest, ...(typeof Accounting === 'object' ? Accounting : {}) } }
}

function respell(value: unknown, casing: SyncSettings['casing']): unknown {
  if (Array.isArray(value)) return value.map((one) => respell(one, casing))
  if (typeof value !== 'object' || value === null || sourceJson.isRawJSON(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [spell(name, casing), respell(inner, casing)]),
  )
}

function spell(name: string, casing: SyncSettings['casing']): string {
  if (casing === 'lower') return name.toLowerCase()
  if (casing === 'upper') return name.toUpperCase()
  if (casing === 'camel') return name.slice(0, 1).toLowerCase() + name.slice(1)
  return (name.match(WORDS) ?? [name]).map((word) => word.toLowerCase()).join('_')
}

/** The items of one page in the laboratory's order. */
export function reorder<T>(items: readonly T[], settings: SyncSettings, seed: number): readonly T[] {
  if (settings.order === 'documented') return items
  if (settings.order === 'descending') return items.toReversed()
  const drawn = items.map((item, i) => ({ item, at: chance(seed, 'shuffle', i) }))
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
