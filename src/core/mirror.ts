/** A record of a shared log. */
export interface MirroredRecord {
  /** Its place in that log, and the id of a delivery. */
  readonly id: number
  readonly kind: number
  readonly payload: Uint8Array
}

/** What a fresh database of a follower got from the one before it. */
export interface TakenOver {
  readonly unsent: number
  readonly trashed: number
  /** Why the rest could not be read; null when there is none. */
  readonly reason: string | null
}

/** A change of a note, a tag or a pin, for a shared log. */
export interface UnsentAnnotation {
  /** Rises with the order of the changes. */
  readonly id: number
  /** The same however often the change is sent. */
  readonly key: string
  /** Days since 1970-01-01, UTC, of the change. */
  readonly day: number
  readonly record: Uint8Array
}

/** A copy of another log, whose ids it keeps. */
export interface Mirror {
  /** The highest id ever filed here. */
  lastId(): number
  /**
   * Stores records of another log, in its order and under its ids; known ones are skipped. The store must have no deliveries of its own.
   * @param after the last id given before, from `mirroredUpTo` on: when the store lacks it, it sends the notice `missed`
   */
  mirror(records: readonly MirroredRecord[], after: number): Promise<void>
  /** The id up to which the other log is filed, after which to read it. */
  mirroredUpTo(): number
  /**
   * Takes over what the other log does not have from the database that was set aside: unsent changes and the trash. Call it before the
   * first record is filed anew. @returns null when no database was set aside @throws AcuseError `store-failed` while that is not possible
   */
  takeOver(): Promise<TakenOver | null>
  /** Changes of notes, tags and pins that `mirror` has not brought back yet, the oldest first. */
  unsent(after: number, limit: number): Promise<readonly UnsentAnnotation[]>
}
