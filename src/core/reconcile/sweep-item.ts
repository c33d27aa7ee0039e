import type { ItemMapping } from '#contract/connection.ts'
import { codeOf, type JsonTree, STRING, sourceOf, stringOf } from '../json/tree.ts'
import type { RemoteDocument } from './documents.ts'
import { AS_FOUND, type ItemReading, issuedOf, itemValues, mappingOfItems, readItem } from './item.ts'
import type { SweepItem } from './ports.ts'
import type { SyncPage } from './sync-source.ts'
import type { PageFacts } from './walk.ts'

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

/** Key of a document: its id in lower case, else its Number, else a digest of the item (readings, accounting-sync). */
export function keyOf(document: Pick<RemoteDocument, 'documentKey' | 'number'>, source: string): string {
  if (document.documentKey !== null && document.documentKey !== '') return document.documentKey
  if (document.number !== null && document.number !== '') return `number:${document.number}`
  return `item:${textHash(source)}`
}

export const isNameless = ({
  documentKey,
  number,
}: Pick<RemoteDocument, 'documentKey' | 'number'>): boolean => !documentKey && !number

/** Digits of the total as sent, without quotes when the number is sent as text: sums need them. */
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

export interface PageItems {
  readonly items: readonly SweepItem[]
  readonly facts: PageFacts['items']
  readonly mapping: ItemMapping | null
  /** Latest issue date on the page, as sent; null when no item has one. */
  readonly latest: { readonly instant: number; readonly text: string } | null
}

export function pageItems(
  { tree, items: nodes }: SyncPage,
  reading: ItemReading,
  known: ItemMapping | null,
): PageItems {
  const mapping = mappingOfItems(tree, nodes, reading.corrections, known)
  const items: SweepItem[] = []
  const facts: PageFacts['items'][number][] = []
  let latest: PageItems['latest'] = null
  for (const node of nodes) {
    const item = readSweepItem(tree, node, reading)
    const issued = issuedOf(tree, node, reading)
    items.push(item)
    facts.push({ key: item.key, issued, documentType: item.document.documentType })
    if (issued && (latest === null || issued.instant > latest.instant)) latest = issued
  }
  return { items, facts, mapping, latest }
}

/** A 96-bit hash in hex, for comparing texts, not against attackers. */
export function textHash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  let c = 0x85ebca6b
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15)
    c = (Math.imul(c, 33) + unit) ^ (c >>> 13)
  }
  return [a, b, c].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
