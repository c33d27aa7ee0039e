import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES, type DocumentFamily } from '#catalog/service.ts'
import type { CapturedEvent, RemoteDocument, Terms } from './types.ts'

type Step = 'created' | 'updated' | 'anulated'

const PREFIXES: Readonly<Record<DocumentFamily, string>> = {
  invoice: 'factura',
  'credit-note': 'nota_credito',
  'debit-note': 'nota_debito',
  expense: 'gasto',
}
const FAMILIES = Object.entries(PREFIXES) as readonly [DocumentFamily, string][]

/** The event that tells this step of a document's life. */
export const kindOf = (family: DocumentFamily, step: Step): Kind => `${PREFIXES[family]}.${step}` as Kind

/** Kinds whose documents the sync routes can prove (readings, Reconciling); `dgii.*` belongs to invoices. */
export function familyOfKind(kind: Kind): DocumentFamily | null {
  if (kind.startsWith('dgii.')) return 'invoice'
  return FAMILIES.find(([, prefix]) => kind.startsWith(`${prefix}.`))?.[0] ?? null
}

/**
 * What kind of document it is: by its own captured events; else by its type as observed in captures; else by its Number's prefix
 * (readings, Reconciling, "Rebuilding"). Null: nothing says it.
 */
export function familyOf(
  remote: RemoteDocument | undefined,
  events: readonly CapturedEvent[],
  terms: Pick<Terms, 'families'>,
): DocumentFamily | null {
  for (const { kind } of events) {
    const family = familyOfKind(kind)
    if (family) return family
  }
  const observed = remote?.documentType == null ? undefined : terms.families.get(remote.documentType)
  return observed ?? familyOfNumber(remote?.number ?? null)
}

function familyOfNumber(number: string | null): DocumentFamily | null {
  const code = number?.slice(0, 3).toUpperCase()
  return DOCUMENT_TYPES.find((type) => type.code === code)?.family ?? null
}
