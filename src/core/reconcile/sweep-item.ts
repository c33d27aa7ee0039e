import { sourceOf, stringOf } from '../json/read.ts'
import { codeOf, type JsonTree, STRING } from '../json/tree.ts'
import { AS_FOUND, type ItemReading, itemValues, readItem } from './item.ts'
import type { SweepItem } from './ports.ts'
import { textHash } from './text-hash.ts'
import type { RemoteDocument } from './types.ts'

/**
 * A sync item as it is stored and compared.
 * @param item node of the item
 */
export function readSweepItem(tree: JsonTree, item: number, reading: ItemReading = AS_FOUND): SweepItem {
  const document = readItem(tree, item, reading)
  const values = itemValues(tree, item, reading.corrections)
  const source = sourceOf(tree, item)
  return {
    raw: new TextEncoder().encode(source),
    key: keyOf(document, source),
    document,
    party: text(tree, values('CustomerName')) ?? text(tree, values('SupplierName')),
    total: totalOf(document),
    currency: currencyOf(document),
  }
}

/** Equal for the same document: its id in lower case, else its Number, else a digest of the item (readings, accounting-sync). */
export function keyOf(document: Pick<RemoteDocument, 'documentKey' | 'number'>, source: string): string {
  if (document.documentKey !== null && document.documentKey !== '') return document.documentKey
  if (document.number !== null && document.number !== '') return `number:${document.number}`
  return `item:${textHash(source)}`
}

/** Nothing says which document it is, so that it can be joined with no event. */
export const isNameless = ({
  documentKey,
  number,
}: Pick<RemoteDocument, 'documentKey' | 'number'>): boolean => !documentKey && !number

/** The digits as sent, also of a number that is written as text: sums of money go by them. */
function totalOf({ accounting }: RemoteDocument): string | null {
  const total = accounting.get('Total')
  return total ? (total.type === 'number' ? total.source.replaceAll('"', '') : total.source) : null
}

function currencyOf({ accounting }: RemoteDocument): string | null {
  const value = accounting.get('CurrencyCode')
  return value?.type === 'text' && value.key !== '' ? value.key : null
}

function text(tree: JsonTree, node: number | undefined): string | null {
  if (node === undefined || codeOf(tree, node) !== STRING) return null
  const value = stringOf(tree, node)
  return value === '' ? null : value
}
