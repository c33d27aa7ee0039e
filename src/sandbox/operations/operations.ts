import { notFound } from '../domain/refusal.ts'
import { CONTACT_OPERATIONS, PRODUCT_OPERATIONS } from './contacts.ts'
import { AUTHORITY_OPERATIONS, DOCUMENT_OPERATIONS } from './documents.ts'
import { NOTE_OPERATIONS } from './note-operations.ts'
import type { Operation } from './operation.ts'

export const OPERATIONS: readonly Operation[] = [
  ...DOCUMENT_OPERATIONS,
  ...NOTE_OPERATIONS,
  ...AUTHORITY_OPERATIONS,
  ...CONTACT_OPERATIONS,
  ...PRODUCT_OPERATIONS,
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
