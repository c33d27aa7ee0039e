import { aLine, anEvent } from '../support/events.ts'

/** A factura.created of 2 KB with all documented fields and two lines: the body of all intake figures. */
export function invoiceBody(documentId: string): string {
  return JSON.stringify(
    anEvent('factura.created', { data: { DocumentId: documentId, Lines: [aLine(), aLine()] } }),
  )
}
