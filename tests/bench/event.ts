import { aLine, anEvent } from '../support/events.ts'

/** A factura.created of 2 KB with all its documented fields and two lines: what the intake figures are quoted for. */
export function invoiceBody(documentId: string): string {
  return JSON.stringify(
    anEvent('factura.created', { data: { DocumentId: documentId, Lines: [aLine(), aLine()] } }),
  )
}
