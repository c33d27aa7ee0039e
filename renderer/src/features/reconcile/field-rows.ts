import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import type { ItemMapping } from '#contract/connection.ts'
import type { FieldDifference } from '#contract/reconcile.ts'
import { scanJson } from '#core/json/scan.ts'
import { type JsonTree, memberNamed } from '#core/json/tree.ts'
import type { RemoteDocument } from '#core/reconcile/documents.ts'
import { AS_FOUND, readItem } from '#core/reconcile/item.ts'

/** One field of the accounting projection on both sides; values as sent. */
export interface FieldRow {
  readonly field: string
  readonly captured: string | null
  readonly service: string | null
  readonly state: 'equal' | 'differs' | 'ignored' | 'shared' | 'one-sided'
}

/** The accounting projection of a JSON text. @param read returns null when the text has none */
function fieldsIn(text: string | null, read: (tree: JsonTree) => RemoteDocument | null) {
  const tree = text === null ? null : scanJson(text)
  const found = tree && !('problem' in tree) ? read(tree) : null
  return new Map([...(found?.accounting ?? [])].map(([field, { source }]) => [field, source]))
}

const stateOf = ({ ignored, shared }: FieldDifference): FieldRow['state'] =>
  shared ? 'shared' : ignored ? 'ignored' : 'differs'

/** Rows in the catalogue's order, differing ones first; the host decides which differ. @param event null: none @param item null: none */
export function fieldRows(
  event: string | null,
  item: string | null,
  mapping: ItemMapping | null,
  differences: readonly FieldDifference[],
): readonly FieldRow[] {
  const ours = fieldsIn(event, (tree) => {
    const data = memberNamed(tree, 0, 'data') ?? memberNamed(tree, 0, 'Data')
    return data === undefined ? null : readItem(tree, data)
  })
  const theirs = fieldsIn(item, (tree) => readItem(tree, 0, { ...AS_FOUND, corrections: mapping }))
  const told = new Map(differences.map((one) => [one.field, one]))
  const names = [...new Set([...ACCOUNTING_FIELDS.keys(), ...told.keys()])]
  const rows = names.flatMap((field): FieldRow[] => {
    const difference = told.get(field)
    const captured = difference?.captured ?? ours.get(field) ?? null
    const service = difference?.service ?? theirs.get(field) ?? null
    if (captured === null && service === null) return []
    const alone = captured === null || service === null ? 'one-sided' : 'equal'
    return [{ field, captured, service, state: difference ? stateOf(difference) : alone }]
  })
  const rank = { differs: 0, ignored: 1, shared: 1, 'one-sided': 2, equal: 2 } as const
  return rows.sort((a, b) => rank[a.state] - rank[b.state])
}
