import { type Kind, kindSpec } from '#catalog/kinds.ts'

/** The documents that the sync routes list, by the events that are about them. */
const LISTED: ReadonlySet<string> = new Set(['invoices', 'credit', 'debit', 'expenses', 'dgii'])
/** The sandbox makes these from nothing, so nothing comes before them. */
const FIRST: ReadonlySet<Kind> = new Set<Kind>(['factura.created', 'gasto.created'])

/** Whether an event of this kind, sent alone, leaves out earlier ones that Reconcile can prove to be missing. */
export const withholdsEarlier = (kind: Kind): boolean =>
  LISTED.has(kindSpec(kind)?.group ?? '') && !FIRST.has(kind)
