import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import type { ItemMapping } from '#contract/connection.ts'
import type { FieldDifference } from '#contract/reconcile.ts'
import { scanJson } from '#core/json/scan.ts'
import { memberNamed } from '#core/json/tree.ts'
import { AS_FOUND, readItem } from '#core/reconcile/item.ts'

/** One field of the accounting projection on both sides; sources as sent. */
export interface FieldRow {
  readonly field: string
  readonly captured: string | null
  readonly service: string | null
  readonly state: 'equal' | 'differs' | 'ignored' | 'shared' | 'one-sided'
}

/** The accounting projection inside a sync item. @returns empty where the text is no item */
function itemFields(text: string, mapping: ItemMapping | null): ReadonlyMap<string, string> {
  const tree = scanJson(text)
  if ('problem' in tree) return new Map()
  return sources(readItem(tree, 0, { ...AS_FOUND, corrections: mapping }).accounting)
}

function eventFields(text: string): ReadonlyMap<string, string> {
  const tree = scanJson(text)
  if ('problem' in tree) return new Map()
  const data = memberNamed(tree, 0, 'data') ?? memberNamed(tree, 0, 'Data')
  return data === undefined ? new Map() : sources(readItem(tree, data).accounting)
}

const sources = (values: ReadonlyMap<string, { readonly source: string }>): ReadonlyMap<string, string> =>
  new Map([...values].map(([field, { source }]) => [field, source]))

const stateOf = ({ ignored, shared }: FieldDifference): FieldRow['state'] =>
  shared ? 'shared' : ignored ? 'ignored' : 'differs'

/** In the catalogue's order, what differs first; which fields differ is the host's word. @param event null: none @param item null: none */
export function fieldRows(
  event: string | null,
  item: string | null,
  mapping: ItemMapping | null,
  differences: readonly FieldDifference[],
): readonly FieldRow[] {
  const ours = event === null ? new Map<string, string>() : eventFields(event)
  const theirs = item === null ? new Map<string, string>() : itemFields(item, mapping)
  const told = new Map(differences.map((one) => [one.field, one]))
  const names = [...new Set([...ACCOUNTING_FIELDS.keys(), ...told.keys()])]
  const rows = names.flatMap((field): FieldRow[] => {
    const difference = told.get(field)
    const captured = difference?.captured ?? ours.get(field) ?? null
    const service = difference?.service ?? theirs.get(field) ?? null
    if (captured === null && service === null) return []
    if (difference) return [{ field, captured, service, state: stateOf(difference) }]
    return [
      { field, captured, service, state: captured === null || service === null ? 'one-sided' : 'equal' },
    ]
  })
  const rank = { differs: 0, ignored: 1, shared: 1, 'one-sided': 2, equal: 2 } as const
  return rows.sort((a, b) => rank[a.state] - rank[b.state])
}
