import type { ItemMapping } from '#contract/connection.ts'
import { type ItemReading, issuedOf, joinMappings, mappingOf } from './item.ts'
import type { SweepItem } from './ports.ts'
import { readSweepItem } from './sweep-item.ts'
import type { SyncPage } from './sync-source.ts'
import type { PageFacts } from './walk.ts'

export interface PageItems {
  readonly items: readonly SweepItem[]
  readonly facts: PageFacts['items']
  /** Of all items so far. */
  readonly mapping: ItemMapping | null
  /** The latest issue date among them, as sent; null when none has one. */
  readonly latest: { readonly instant: number; readonly text: string } | null
}

/** Items of a page that are looked at for what earlier ones did not show. */
const LOOKED_AT = 20

/** The items of a page as they are stored, and what paging needs of them. */
export function pageItems(
  { tree, items: nodes }: SyncPage,
  reading: ItemReading,
  known: ItemMapping | null,
): PageItems {
  let mapping = known
  for (const node of nodes.slice(0, LOOKED_AT))
    mapping = joinMappings(mapping, mappingOf(tree, node, reading.corrections))
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
