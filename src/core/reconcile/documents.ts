import type { WrittenDate } from '#catalog/date-time.ts'
import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES, type DocumentFamily } from '#catalog/service.ts'
import type { Connection, DocumentGroup, MappedDocumentType } from '#contract/connection.ts'
import type { DocumentRow, FieldDifference } from '#contract/reconcile.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from '#contract/values.ts'

export interface RemoteDocument {
  readonly documentKey: string | null
  readonly documentId: string | null
  readonly number: string | null
  readonly issuedAt: number | null
  readonly documentType: number | null
  readonly statusId: number | null
  readonly voided: boolean | null
  readonly accounting: ReadonlyMap<string, CanonicalValue>
}

export interface CanonicalValue {
  readonly type: 'number' | 'date' | 'text' | 'other'
  /** Same for equal values of one type; dates are compared by `date` instead. */
  readonly key: string
  readonly source: string
  readonly date?: WrittenDate
}

/** A captured event of a document, never a synthetic one. */
export interface CapturedEvent {
  readonly deliveryId: number
  readonly kind: Kind
  /** From its Timestamp, else from its arrival, microseconds. */
  readonly instant: number
  readonly number: string | null
  readonly issuedAt: number | null
  readonly documentType: number | null
  readonly accounting: ReadonlyMap<string, CanonicalValue>
}

export type Taken = ReadonlyMap<string, ReadonlySet<Kind>>

export interface Terms {
  readonly now: number
  readonly kinds: ReadonlySet<Kind> | null
  readonly ignoredFields: ReadonlySet<string>
  /** Fields that differ in every document, which reveals another representation or meaning and nothing about one document. */
  readonly sharedFields: ReadonlySet<string>
  readonly zone: string
  readonly notYetDue: { readonly issuedHours: number; readonly returnedMinutes: number }
  /** Id of the first delivery after the sweep began: the service could not know its content yet. */
  readonly sweptBefore: number
  /** No captured event has the id of any item, although documents of the range were captured. */
  readonly otherIds: boolean
  /** Some items identify no document; each may be one that the sweep seems not to list. */
  readonly unidentifiedItems: boolean
  /** Items have no document id, so any of them may be a captured document without a Number. */
  readonly itemsByNumber: boolean
  readonly families: ReadonlyMap<number, DocumentFamily>
  readonly mapped: ReadonlyMap<number, DocumentFamily>
  /** Kinds rebuilt for a document, by its key, whose synthetic delivery a target accepted. */
  readonly taken?: Taken
}

export interface Judgement
  extends Pick<DocumentRow, 'class' | 'missed' | 'rules' | 'cannotTell' | 'likelyReason'> {
  /** Differing values where both sides have one; ignored fields are included and marked. */
  readonly differences: readonly FieldDifference[]
}

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
