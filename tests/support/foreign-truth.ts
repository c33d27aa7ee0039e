import type { ForeignDocument, ForeignEvent } from './foreign-ledger.ts'

/** Expected result of a comparison for a document, computed from the ledger and the captured events without the product's rules. */
export interface ForeignTruth {
  readonly class: 'matched' | 'differs' | 'missing'
  /** Rules that find a miss, sorted. */
  readonly rules: readonly string[]
}

/** @param captured events that reached the receiver, in order */
export function foreignTruth(
  documents: readonly ForeignDocument[],
  captured: readonly ForeignEvent[],
): ReadonlyMap<string, ForeignTruth> {
  const heard = new Map<string, Set<string>>()
  for (const { document, kind } of captured)
    heard.set(document.id, (heard.get(document.id) ?? new Set()).add(kind))
  return new Map(
    documents.map((document) => {
      const { id, group, status, voided, totalBefore } = document
      const kinds = heard.get(id) ?? new Set()
      const created = kinds.has(`${group}.created`)
      const answered = [...kinds].some((kind) => kind.startsWith('dgii.'))
      const rules: string[] = []
      if (!created) rules.push('no-created')
      if (group === 'factura' && status >= 5 && status <= 8 && !answered) rules.push('status-without-event')
      // The captured total differs only when the creation was captured and the update was not.
      if (created && totalBefore !== null && !kinds.has(`${group}.updated`)) rules.push('values-differ')
      if (voided && !kinds.has(`${group}.anulated`)) rules.push('void-without-event')
      return [id, { class: created ? (rules.length > 0 ? 'differs' : 'matched') : 'missing', rules }]
    }),
  )
}
