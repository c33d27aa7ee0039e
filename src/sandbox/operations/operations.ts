import type { SandboxOperation } from '#contract/sandbox.ts'
import { notFound } from '../domain/refusal.ts'
import { CONTACT_OPERATIONS, PRODUCT_OPERATIONS } from './contacts.ts'
import { AUTHORITY_OPERATIONS, DOCUMENT_OPERATIONS } from './documents.ts'
import { NOTE_OPERATIONS } from './notes.ts'
import type { Operation } from './operation.ts'

type Group = SandboxOperation['group']
type Grouped = Operation & { readonly group: Group }
const grouped = (group: Group, operations: readonly Operation[]): readonly Grouped[] =>
  operations.map((one) => ({ ...one, group }))

export const OPERATIONS: readonly Grouped[] = [
  ...grouped('documents', DOCUMENT_OPERATIONS),
  ...grouped('notes', NOTE_OPERATIONS),
  ...grouped('authority', AUTHORITY_OPERATIONS),
  ...grouped('contacts', CONTACT_OPERATIONS),
  ...grouped('products', PRODUCT_OPERATIONS),
]

const BY_NAME: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((one) => [one.name, one]))

/** @throws Refusal (404) */
export function operationNamed(name: string): Operation {
  const found = BY_NAME.get(name)
  if (!found) {
    const known = OPERATIONS.map((one) => one.name).join(', ')
    throw notFound(`There is no operation “${name.slice(0, 60)}”; there are ${known}.`, 'unknown-operation')
  }
  return found
}
