import type { DocumentGroup, MappedDocumentType } from '#contract/connection.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from '#contract/values.ts'

/**
 * What is wrong with a typed mapping. `form`: it is not number=group; `id`: what stands before "=" is no document type; `group`: what
 * stands behind it is no group of kinds; `twice`: a type that was mapped before; `many`: more types than a connection has.
 */
export interface DocumentTypesProblem {
  readonly problem: 'form' | 'id' | 'group' | 'twice' | 'many'
  /** Where it is wrong, as typed; empty for `many`. */
  readonly part: string
}

const GROUPS: ReadonlyMap<string, DocumentGroup> = new Map(DOCUMENT_GROUPS.map((group) => [group, group]))
const SEPARATORS: ReadonlySet<string> = new Set([',', ';'])

/**
 * Reads the mapping of document types to the groups of their kinds, as a person types it: `31=factura, 34=nota_credito`. Commas,
 * semicolons or blanks stand between them; nothing at all is an empty mapping.
 */
export function readDocumentTypes(
  text: string,
): { readonly types: readonly MappedDocumentType[] } | DocumentTypesProblem {
  // One pass over the text: an expression with blanks around "=" would take quadratic time over many blanks.
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

/** As `readDocumentTypes` reads it. */
export const documentTypesText = (types: readonly MappedDocumentType[]): string =>
  types.map(({ id, group }) => `${id}=${group}`).join(', ')
