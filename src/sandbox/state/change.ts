import type { Kind } from '#catalog/kinds.ts'
import type { Random } from '../data/random.ts'
import type { Store } from './store.ts'

/** What one operation works with; all of it is undone together when the operation is refused. */
export interface Change {
  readonly store: Store
  readonly random: Random
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly offset: string
  /** A new id. Ids grow in the order in which they are given, so that documents of one instant keep that order in the sync routes. */
  newId(): string
  /** Issue date of a document issued now: never before that of an earlier one issued so. */
  issueInstant(): number
  emit(kind: Kind, subject: string, data: unknown): void
}
