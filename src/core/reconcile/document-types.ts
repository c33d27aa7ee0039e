import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES, type DocumentFamily } from '#catalog/service.ts'
import type { Connection, DocumentGroup, MappedDocumentType } from '#contract/connection.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from '#contract/values.ts'
import type { CapturedEvent, RemoteDocument, Terms } from './types.ts'

/**
 * `form`: not written as number=group; `id`: no document type before "="; `group`: no group of kinds after "="; `twice`: a repeated type;
 * `many`: more than a connection may have.
 */
export interface DocumentTypesProblem {
  readonly problem: 'form' | 'id' | 'group' | 'twice' | 'many'
  /** The wrong part, as typed; empty for `many`. */
  readonly part: string
}

const GROUPS: ReadonlyMap<string, DocumentGroup> = new Map(DOCUMENT_GROUPS.map((group) => [group, group]))
const SEPARATORS: ReadonlySet<string> = new Set([',', ';'])

/** Reads a mapping as a user types it: `31=factura, 34=nota_credito`, separated by commas, semicolons or blanks. */
export function readDocumentTypes(
  text: string,
): { readonly types: readonly MappedDocumentType[] } | DocumentTypesProblem {
  // Tokenised in one pass: an expression with optional blanks around "=" would take quadratic time on many blanks.
  const tokens = text.match(/[=,;]|[^\s=,;]+/g) ?? []
  const types = new Map<number, DocumentGroup>()
  for (let at = 0; at < tokens.length; ) {
    const [first = '', equals, named] = tokens.slice(at, at + 3)
    if (SEPARATORS.has(first)) {
      at += 1
      continue
    }
    if (first === '=' || equals !== '=' || named === undefined || SEPARATORS.has(named) || named === '=')
      return { problem: 'form', part: first }
    const id = /^\d{1,16}$/.test(first) ? Number(first) : Number.NaN
    const group = GROUPS.get(named.toLowerCase())
    if (!Number.isSafeInteger(id)) return { problem: 'id', part: first }
    if (!group) return { problem: 'group', part: named }
    if (types.has(id)) return { problem: 'twice', part: first }
    types.set(id, group)
    at += 3
  }
  if (types.size > MOST_DOCUMENT_TYPES) return { problem: 'many', part: '' }
  return { types: [...types].map(([id, group]) => ({ id, group })) }
}

export const documentTypesText = (types: readonly MappedDocumentType[]): string =>
  types.map(({ id, group }) => `${id}=${group}`).join(', ')

type Step = 'created' | 'updated' | 'anulated'

const PREFIXES: Readonly<Record<DocumentFamily, DocumentGroup>> = {
  invoice: 'factura',
  'credit-note': 'nota_credito',
  'debit-note': 'nota_debito',
  expense: 'gasto',
}
const FAMILIES = Object.entries(PREFIXES) as readonly [DocumentFamily, DocumentGroup][]

export const kindOf = (family: DocumentFamily, step: Step): Kind => `${PREFIXES[family]}.${step}` as Kind

/** Family of the documents that a kind is about, as far as sync routes list them (readings, Reconciling); `dgii.*` is about invoices. */
export function familyOfKind(kind: Kind): DocumentFamily | null {
  if (kind.startsWith('dgii.')) return 'invoice'
  return FAMILIES.find(([, prefix]) => kind.startsWith(`${prefix}.`))?.[0] ?? null
}

/**
 * Family of a document: from its captured events, else from its type as seen in captures, else from the prefix of its Number, else from the
 * user's mapping of its type (readings, Reconciling, "Rebuilding"). Null: unknown.
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
