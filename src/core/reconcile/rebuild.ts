import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { ItemMapping } from '#contract/connection.ts'
import { sourceOf } from '../json/read.ts'
import type { JsonTree } from '../json/tree.ts'
import { accountingText, itemValues } from './item.ts'

/** A missed event made again from what the service's record says. It is synthetic: never to be mistaken for a captured one. */
export interface Rebuilt {
  readonly kind: Kind
  /** The envelope as JSON text; values stand in it with the very digits and escapes of the item. */
  readonly body: string
  /** Documented fields of the kind that the item lacks; they stay absent. */
  readonly absent: readonly string[]
}

/**
 * Rebuilds a missed event (readings, Reconciling): the documented envelope, the kind's documented fields as far as the item has them.
 * @param timestamp of the rebuilding, ISO 8601 with offset
 */
export function rebuild(
  tree: JsonTree,
  item: number,
  kind: Kind,
  timestamp: string,
  corrections: Partial<ItemMapping> | null = null,
): Rebuilt {
  const values = itemValues(tree, item, corrections)
  const fields = kindSpec(kind)?.fields ?? []
  const present: string[] = []
  const absent: string[] = []
  for (const field of fields) {
    const node = values(field)
    if (node === undefined) absent.push(field)
    else {
      const text = field === 'Accounting' ? accountingText(tree, node) : sourceOf(tree, node)
      present.push(`${JSON.stringify(field)}:${text}`)
    }
  }
  const envelope = `"Event":${JSON.stringify(kind)},"Timestamp":${JSON.stringify(timestamp)}`
  return { kind, body: `{${envelope},"data":{${present.join(',')}}}`, absent }
}
