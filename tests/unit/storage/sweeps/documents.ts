import type { Kind } from '#catalog/kinds.ts'
import { anEvent, aUuid } from '../../../support/events.ts'

export const ISSUED = '2026-10-05T10:00:00-04:00'
export const accounting = (change: object = {}) => ({
  ...{ DocumentTypeId: 31, IssuedAt: ISSUED, CurrencyCode: 'DOP', Total: 100.1, AmountDue: 0 },
  ...change,
})
export const event = (kind: Kind, n: number, data: object = {}) =>
  anEvent(kind, {
    data: { DocumentId: aUuid(n), Number: `E31000000000${n}`, Accounting: accounting(), ...data },
  })
export const item = (n: number, change: object = {}, own: object = {}) => ({
  DocumentId: aUuid(n),
  Number: `E31000000000${n}`,
  CustomerName: `Cliente ${n}`,
  Accounting: accounting(change),
  ...own,
})
