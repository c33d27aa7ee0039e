import type { SweepRange } from '#contract/reconcile.ts'
import type { SyncPage } from './sync-source.ts'
import { MOST_REQUESTS } from './walk.ts'

/** The pair by which treasury-sync goes on; both parts exactly as received. */
export interface Cursor {
  readonly from: string | null
  readonly afterDocumentId: string | null
}

/** Where a walk over treasury-sync stands; plain data. */
export interface TreasuryWalk {
  readonly cursor: Cursor
  readonly to: string | null
  readonly documentTypeId: number | null
  readonly pageSize: number
  readonly requestsLeft: number
  /** `repeated`: the service goes round in a circle. `endless`: it never says that it is at its end. */
  readonly state: 'going' | 'done' | 'repeated' | 'endless'
  /** A former cursor, exchanged for the present one after 1, 2, 4, 8 … pages: whoever goes round in a circle meets it (Brent). */
  readonly mark: Cursor
  readonly sinceMark: number
  readonly markAfter: number
}

export function beginTreasury({ from, to, documentTypeId, pageSize }: SweepRange): TreasuryWalk {
  const cursor = { from, afterDocumentId: null }
  return {
    ...{ cursor, to, documentTypeId, pageSize },
    requestsLeft: MOST_REQUESTS,
    state: 'going',
    mark: cursor,
    sinceMark: 0,
    markAfter: 1,
  }
}

/**
 * Takes in the page that came for the walk's cursor (readings, treasury-sync): it ends where `hasMore` is false; a cursor that was there
 * before, or none, while `hasMore` is true would be a loop, and is an error.
 */
export function advanceTreasury(walk: TreasuryWalk, page: SyncPage): TreasuryWalk {
  const requestsLeft = walk.requestsLeft - 1
  if (!page.hasMore) return { ...walk, requestsLeft, state: 'done' }
  const cursor = { from: page.nextFrom, afterDocumentId: page.nextAfterDocumentId }
  const none = cursor.from === null && cursor.afterDocumentId === null
  if (none || same(cursor, walk.cursor) || same(cursor, walk.mark))
    return { ...walk, requestsLeft, cursor, state: 'repeated' }
  if (requestsLeft <= 0) return { ...walk, requestsLeft, cursor, state: 'endless' }
  const sinceMark = walk.sinceMark + 1
  return sinceMark < walk.markAfter
    ? { ...walk, requestsLeft, cursor, sinceMark }
    : { ...walk, requestsLeft, cursor, mark: cursor, sinceMark: 0, markAfter: walk.markAfter * 2 }
}

const same = (a: Cursor, b: Cursor): boolean => a.from === b.from && a.afterDocumentId === b.afterDocumentId
