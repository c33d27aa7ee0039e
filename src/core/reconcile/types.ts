import type { WrittenDate } from '#catalog/date-time.ts'
import type { Kind } from '#catalog/kinds.ts'
import type { DocumentFamily } from '#catalog/service.ts'
import type { DocumentRow, FieldDifference } from '#contract/reconcile.ts'

export interface RemoteDocument {
  readonly documentKey: string | null
  readonly documentId: string | null
  readonly number: string | null
  readonly issuedAt: number | null
  readonly documentType: number | null
  readonly statusId: number | null
  readonly voided: boolean | null
  readonly accounting: ReadonlyMap<string, CanonicalValue>
}

export interface CanonicalValue {
  readonly type: 'number' | 'date' | 'text' | 'other'
  /** Equal for equal values of the same type; of a date, `date` tells. */
  readonly key: string
  readonly source: string
  readonly date?: WrittenDate
}

/** One captured event of a document, synthetic ones left out. */
export interface CapturedEvent {
  readonly deliveryId: number
  readonly kind: Kind
  /** Of its Timestamp, else of its arrival, microseconds. */
  readonly instant: number
  readonly number: string | null
  readonly issuedAt: number | null
  readonly documentType: number | null
  readonly accounting: ReadonlyMap<string, CanonicalValue>
}

export type Taken = ReadonlyMap<string, ReadonlySet<Kind>>

export interface Terms {
  readonly now: number
  readonly kinds: ReadonlySet<Kind> | null
  readonly ignoredFields: ReadonlySet<string>
  /** Fields in which every document differs: their representation or meaning is another one, so they say nothing of a document. */
  readonly sharedFields: ReadonlySet<string>
  readonly zone: string
  readonly notYetDue: { readonly issuedHours: number; readonly returnedMinutes: number }
  /** The first delivery that arrived after the sweep began: the service could not know yet what it tells. */
  readonly sweptBefore: number
  /** No captured event carries an id of any item, although documents of the range were captured. */
  readonly otherIds: boolean
  /** Items of the sweep name no document: each of them may be one that the sweep seems not to list. */
  readonly unidentifiedItems: boolean
  /** Items have no document id, so that a captured document without a Number may be one of them. */
  readonly itemsByNumber: boolean
  readonly families: ReadonlyMap<number, DocumentFamily>
  readonly mapped: ReadonlyMap<number, DocumentFamily>
  /** Kinds rebuilt for a document, by its key, of which a target took the synthetic delivery. */
  readonly taken?: Taken
}

export interface Judgement
  extends Pick<DocumentRow, 'class' | 'missed' | 'rules' | 'cannotTell' | 'likelyReason'> {
  /** Values that differ where both sides have one, ignored fields included and marked. */
  readonly differences: readonly FieldDifference[]
}
