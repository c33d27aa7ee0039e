import type { ItemMapping } from '#contract/reconcile.ts'
import { readTimestamp } from '../checks/timestamp.ts'
import { resolvePointer } from '../json/pointer.ts'
import { stringOf } from '../json/read.ts'
import { codeOf, type JsonTree, STRING } from '../json/tree.ts'
import { joinMappings, mappingOf } from './item.ts'
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
  corrections: Partial<ItemMapping> | null,
  known: ItemMapping | null,
): PageItems {
  let mapping = known
  for (const node of nodes.slice(0, LOOKED_AT))
    mapping = joinMappings(mapping, mappingOf(tree, node, corrections))
  const items: SweepItem[] = []
  const facts: PageFacts['items'][number][] = []
  let latest: PageItems['latest'] = null
  for (const node of nodes) {
    const item = readSweepItem(tree, node, corrections)
    const { issuedAt, documentType } = item.document
    const issuedText = issuedAt === null ? null : issueText(tree, node, issuedAt, mapping, corrections)
    items.push(item)
    facts.push({ key: item.key, issuedAt, issuedText, documentType })
    if (issuedAt !== null && issuedText !== null && (latest === null || issuedAt > latest.instant))
      latest = { instant: issuedAt, text: issuedText }
  }
  return { items, facts, mapping, latest }
}

/** The issue date as the service wrote it: paging goes on by its own words. */
function issueText(
  tree: JsonTree,
  item: number,
  instant: number,
  mapping: ItemMapping | null,
  corrections: Partial<ItemMapping> | null,
): string | null {
  // Most items of a service are alike; only one that is not is looked through again.
  const likely = textAt(tree, item, mapping?.issuedAt ?? null)
  if (likely !== null) {
    const read = readTimestamp(likely)
    if ('instant' in read && read.instant === instant) return likely
  }
  return textAt(tree, item, mappingOf(tree, item, corrections).issuedAt)
}

function textAt(tree: JsonTree, item: number, pointer: string | null): string | null {
  if (pointer === null) return null
  const node = resolvePointer(tree, pointer, item)
  return node !== undefined && codeOf(tree, node) === STRING ? stringOf(tree, node) : null
}
