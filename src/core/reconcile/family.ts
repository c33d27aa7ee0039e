import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES, type DocumentFamily } from '#catalog/service.ts'
import type { Connection, DocumentGroup } from '#contract/connection.ts'
import type { CapturedEvent, RemoteDocument, Terms } from './types.ts'

type Step = 'created' | 'updated' | 'anulated'

const PREFIXES: Readonly<Record<DocumentFamily, DocumentGroup>> = {
  invoice: 'factura',
  'credit-note': 'nota_credito',
  'debit-note': 'nota_debito',
  expense: 'gasto',
}
const FAMILIES = Object.entries(PREFIXES) as readonly [DocumentFamily, DocumentGroup][]

/** The event that tells this step of a document's life. */
export const kindOf = (family: DocumentFamily, step: Step): Kind => `${PREFIXES[family]}.${step}` as Kind

/** Kinds whose documents the sync routes can prove (readings, Reconciling); `dgii.*` belongs to invoices. */
export function familyOfKind(kind: Kind): DocumentFamily | null {
  if (kind.startsWith('dgii.')) return 'invoice'
  return FAMILIES.find(([, prefix]) => kind.startsWith(`${prefix}.`))?.[0] ?? null
}

/**
 * What kind of document it is: by its own captured events; else by its type as observed in captures; else by its Number's prefix; else
 * by its type as the user maps it (readings, Reconciling, "Rebuilding"). Null: nothing says it.
 */
export function familyOf(
  remote: RemoteDocument | undefined,
  events: readonly CapturedEvent[],
  terms: Pick<Terms, 'families' | 'mapped'>,
): DocumentFamily | null {
  for (const { kind } of events) {
    const family = familyOfKind(kind)
    if (family) return family
  }
  const type = remote?.documentType ?? null
  const by = (families: Terms['families']) => (type === null ? null : (families.get(type) ?? null))
  return by(terms.families) ?? familyOfNumber(remote?.number ?? null) ?? by(terms.mapped)
}

/** What the user says of document types, as a comparison goes by it. */
export function mappedFamilies(types: Connection['documentTypes']): ReadonlyMap<number, DocumentFamily> {
  return new Map(
    types.flatMap(({ id, group }) =>
      FAMILIES.flatMap(([family, prefix]) => (prefix === group ? [[id, family] as const] : [])),
    ),
  )
}

function familyOfNumber(number: string | null): DocumentFamily | null {
  const code = number?.slice(0, 3).toUpperCase()
  return DOCUMENT_TYPES.find((type) => type.code === code)?.family ?? null
}
