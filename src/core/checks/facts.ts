import { KINDS, type Kind } from '#catalog/kinds.ts'
import { codeOf, type JsonTree, NUMBER, OBJECT, sourceOf } from '../json/tree.ts'
import { type CanonicalValue, familyOfKind } from '../reconcile/documents.ts'
import { canonical, fingerprintNodes, instantAt, textAt } from '../reconcile/fingerprint.ts'
import { statusOf } from './data.ts'
import {
  ACCOUNTING_TABLE,
  ANY_DATA_TABLE,
  ENVELOPE_TABLE,
  type FieldTable,
  type Matched,
  matchFields,
  slotOf,
} from './fields.ts'
import { storable } from './findings.ts'

export interface DocumentFacts {
  readonly issuedAt: number | null
  readonly documentType: number | null
  readonly party: string | null
  readonly total: string | null
  readonly currency: string | null
  readonly modifies: string | null
  /** Null when the event carries no accounting projection. */
  readonly fingerprint: Uint8Array | null
}

const MOST = 200
const [ISSUED, TYPE, TOTAL, CURRENCY] = ['IssuedAt', 'DocumentTypeId', 'Total', 'CurrencyCode'].map((name) =>
  slotOf(ACCOUNTING_TABLE, name),
) as [number, number, number, number]

/** Kinds about documents that the sync routes list (readings, Reconciling). */
export const WITH_FACTS: ReadonlySet<Kind> = new Set(
  KINDS.flatMap(({ kind }) => (familyOfKind(kind) === null ? [] : [kind])),
)

export function factsOf(tree: JsonTree, table: FieldTable, data: Matched, accounting?: Matched) {
  const value = (name: string): string | null => short(textAt(tree, data[slotOf(table, name)] ?? -1))
  const of = (slot: number): number => accounting?.[slot] ?? -1
  const total = of(TOTAL)
  return {
    issuedAt: instantAt(tree, of(ISSUED)),
    documentType: typeAt(tree, of(TYPE)),
    party: value('CustomerName') ?? value('SupplierName'),
    total: total >= 0 && codeOf(tree, total) === NUMBER ? short(sourceOf(tree, total)) : null,
    currency: short(textAt(tree, of(CURRENCY))),
    modifies: value('ModifiedReferenceId')?.toLowerCase() ?? null,
    fingerprint: accounting ? fingerprintNodes(tree, accounting) : null,
  }
}

/** Values of the accounting projection in an envelope, with their JSON sources. */
export function accountingOfEvent(tree: JsonTree): ReadonlyMap<string, CanonicalValue> {
  const values = new Map<string, CanonicalValue>()
  const member = (object: number, table: FieldTable, name: string): number =>
    object >= 0 && codeOf(tree, object) === OBJECT
      ? (matchFields(tree, object, table, undefined)[slotOf(table, name)] ?? -1)
      : -1
  const root = codeOf(tree, 0) === OBJECT ? 0 : -1
  const data = member(root, ENVELOPE_TABLE, 'data')
  const accounting = member(data, ANY_DATA_TABLE, 'Accounting')
  if (accounting < 0 || codeOf(tree, accounting) !== OBJECT) return values
  for (const [slot, node] of matchFields(tree, accounting, ACCOUNTING_TABLE, undefined).entries()) {
    const name = ACCOUNTING_TABLE.fields[slot]?.name
    if (name !== undefined && node >= 0) values.set(name, canonical(tree, node, name))
  }
  return values
}

/** Accepts `31`, and `"31"` or `"E31"`, which other versions of the service might send. */
function typeAt(tree: JsonTree, node: number): number | null {
  if (node < 0) return null
  if (codeOf(tree, node) === NUMBER) return statusOf(tree, node)
  const digits = /^[Ee]?(\d{1,9})$/.exec(textAt(tree, node) ?? '')
  return digits ? Number(digits[1]) : null
}

const short = (text: string | null): string | null => (text === null ? null : storable(text.slice(0, MOST)))
