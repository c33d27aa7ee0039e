import type { Kind } from '#catalog/kinds.ts'
import { documentData } from '../../domain/projection.ts'
import type { Status } from '../../domain/records.ts'
import { mustAwaitAnswer, mustBeSubmittable } from '../../domain/rules.ts'
import { findDocument } from '../find.ts'
import { ID, operation } from '../parameters.ts'

/** An answer of the tax authority (States and transitions): 7 may come any number of times, the others end the waiting. */
function answer(name: string, summary: string, kind: Kind, status: Status) {
  return operation(name, summary, [ID], (change, args) => {
    const document = findDocument(change, args.id)
    mustAwaitAnswer(document)
    const answered = { ...document, status, pending: status === 7, updatedAt: change.now }
    change.store.putDocument(answered)
    change.emit(kind, document.id, documentData(kind, answered))
    return document.id
  })
}

export const AUTHORITY_OPERATIONS = [
  operation(
    'submit',
    'Submits an invoice to the tax authority; no event tells of it',
    [ID],
    (change, args) => {
      const document = findDocument(change, args.id)
      mustBeSubmittable(document)
      change.store.putDocument({ ...document, pending: true, updatedAt: change.now })
      return document.id
    },
  ),
  answer('poll', 'The authority is still evaluating', 'dgii.en_proceso', 7),
  answer('approve', 'The authority accepts in full', 'dgii.aprobado', 5),
  answer('reject', 'The authority rejects', 'dgii.rechazado', 6),
  answer('accept-conditionally', 'The authority accepts with observations', 'dgii.aceptado_condicional', 8),
]
