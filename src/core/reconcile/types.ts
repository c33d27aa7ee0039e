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
  /** Same for equal values of one type; dates are compared by `date` instead. */
  readonly key: string
  readonly source: string
  readonly date?: WrittenDate
}

/** A captured event of a document, never a synthetic one. */
export interface CapturedEvent {
  readonly deliveryId: number
  readonly kind: Kind
  /** From its Timestamp, else from its arrival, microseconds. */
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
  /** Fields that differ in every document, which reveals another representation or meaning and nothing about one document. */
  readonly sharedFields: ReadonlySet<string>
  readonly zone: string
  readonly notYetDue: { readonly issuedHours: number; readonly returnedMinutes: number }
  /** Id of the first delivery after the sweep began: the service could not know its content yet. */
  readonly sweptBefore: number
  /** No captured event has the id of any item, although documents of the range were captured. */
  readonly otherIds: boolean
  /** Some items identify no document; each may be one that the sweep seems not to list. */
  readonly unidentifiedItems: boolean
  /** Items have no document id, so any of them may be a captured document without a Number. */
  readonly itemsByNumber: boolean
  readonly families: ReadonlyMap<number, DocumentFamily>
  readonly mapped: ReadonlyMap<number, DocumentFamily>
  /** Kinds rebuilt for a document, by its key, whose synthetic delivery a target accepted. */
  readonly taken?: Taken
}

export interface Judgement
  extends Pick<DocumentRow, 'class' | 'missed' | 'rules' | 'cannotTell' | 'likelyReason'> {
  /** Differing values where both sides have one; ignored fields are included and marked. */
  readonly differences: readonly FieldDifference[]
}
