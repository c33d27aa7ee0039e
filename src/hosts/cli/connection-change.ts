import type { Connection, ItemMapping, MappedField } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from '#contract/values.ts'
import { nearest } from '#core/filter/nearest.ts'
import { type DocumentTypesProblem, readDocumentTypes } from '#core/reconcile/document-types.ts'
import { couldNot, wrongUsage } from './failures.ts'
import { knownNames } from './known-names.ts'
import { visible } from './visible.ts'

/** A connection without its credentials, which no command shows. */
export type ConnectionSettings = Omit<Connection, 'apiKey' | 'pluginToken'>

/** What is to be different; what is left out stays. */
export interface ConnectionChange
  extends Partial<Omit<ConnectionSettings, 'timeouts' | 'notYetDue' | 'pluginHeader'>> {
  readonly timeouts?: Partial<Connection['timeouts']>
  readonly notYetDue?: Partial<Connection['notYetDue']>
  readonly pluginHeader?: Partial<Connection['pluginHeader']>
}

/**
 * A connection as it will be.
 * @param present undefined for a new one
 * @throws CommandFailure for a new one without an address
 */
export function changedConnection(
  name: string,
  present: Connection | undefined,
  change: ConnectionChange,
): ConnectionSettings {
  const baseUrl = change.baseUrl ?? present?.baseUrl
  if (baseUrl === undefined)
    throw wrongUsage(
      `There is no connection named "${name}" yet; make it with: acuse connections set ${name} --base-url https://service.example --api-key-env ACUSE_API_KEY`,
    )
  const { apiKey: _key, pluginToken: _token, ...before } = present ?? { ...DEFAULT_CONNECTION, name }
  const { mapping } = change
  return {
    ...before,
    ...change,
    baseUrl,
    name: change.name ?? name,
    timeouts: { ...before.timeouts, ...change.timeouts },
    notYetDue: { ...before.notYetDue, ...change.notYetDue },
    pluginHeader: { ...before.pluginHeader, ...change.pluginHeader },
    // Corrections are made one at a time; null takes all of them back.
    mapping: mapping ? { ...before.mapping, ...mapping } : mapping === null ? null : before.mapping,
  }
}

const MAPPED: readonly MappedField[] = [
  'documentId',
  'number',
  'issuedAt',
  'documentType',
  'status',
  'voided',
  'accounting',
]

/** What RFC 6901 has no meaning for. The contract lets it be: connections that were kept with one must still be read. */
const FALSE_ESCAPE = /~(?![01])/

/** The item itself, as the root pointer names it, is no value but the place of the accounting fields. */
const isPointer = (field: MappedField, text: string): boolean =>
  text.startsWith('/') || (text === '' && field === 'accounting')

/**
 * Reads what `--map` takes.
 * @param texts such as "issuedAt=/Meta/Date" or "voided=none"
 * @throws CommandFailure saying what is wrong with them
 */
export function mappingFrom(texts: readonly string[]): Partial<ItemMapping> {
  const found: Partial<Record<MappedField, string | null>> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const field = MAPPED.find((one) => one === text.slice(0, at).trim())
    const pointer = text.slice(at + 1).trim()
    if (at < 0 || field === undefined || !(pointer === 'none' || isPointer(field, pointer)))
      throw wrongUsage(
        `--map takes value=/pointer, such as issuedAt=/Meta/Date, or value=none, or accounting= where its fields stand flat on the item; values are ${MAPPED.join(', ')}; not "${visible(text)}".`,
      )
    if (FALSE_ESCAPE.test(pointer))
      throw wrongUsage(
        `--map takes pointers in which "~" stands as ~0 and "/" within a name as ~1; "${visible(text)}" has a "~" followed by neither, so it would find nothing.`,
      )
    found[field] = pointer === 'none' ? null : pointer
  }
  return found
}

/** What is wrong, with the part where it is, and what to give. */
const TYPES_WRONG: Readonly<Record<DocumentTypesProblem['problem'], (part: string) => string>> = {
  form: (part) => `"${part}" is not of the form type=group`,
  id: (part) => `"${part}" is no document type; give its number`,
  group: (part) => `"${part}" is no group of events; give ${DOCUMENT_GROUPS.join(', ')}`,
  twice: (part) => `document type ${part} stands there twice; give each once`,
  many: () => `these are too many; give at most ${MOST_DOCUMENT_TYPES}`,
}

/**
 * Reads what `--document-types` takes.
 * @param text such as "31=factura,34=nota_credito", or "none"
 * @throws CommandFailure saying what is wrong with it
 */
export function documentTypesFrom(text: string): Connection['documentTypes'] {
  if (text.trim() === 'none') return []
  const read = readDocumentTypes(text)
  const wrong = (sentence: string) =>
    wrongUsage(`--document-types takes type=group, such as 31=factura,34=nota_credito, or none: ${sentence}.`)
  if ('problem' in read) throw wrong(TYPES_WRONG[read.problem](visible(read.part)))
  // An empty variable of a script must not take back what was given.
  if (read.types.length === 0) throw wrong('it is empty')
  return read.types
}

/** @throws CommandFailure naming the connection that may have been meant */
export function knownConnection(name: string, connections: readonly Connection[]): Connection {
  const found = connections.find((one) => one.name === name)
  if (found) return found
  const names = connections.map((one) => one.name)
  const [meant] = nearest(name, names)
  const hint =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? 'There are none yet; make one with: acuse connections set NAME --base-url https://service.example --api-key-env ACUSE_API_KEY'
        : knownNames(names)
  throw couldNot(`There is no connection named "${visible(name)}". ${hint}`)
}
