import type { DatabaseSync } from 'node:sqlite'
import type { AnnotateParams } from '#contract/annotations.ts'
import { failureOf, words } from '../disk/files.ts'
import { inTransaction, PAGE_SIZE, raw, Statements, withoutSync } from '../sql/connection.ts'
import { highestId, type MetaKey, readMeta, writeMeta } from '../sql/numbers.ts'
import { checksum, type Piece, placeOf } from '../wire/record.ts'
import { adoptSaid, annotate, type By, dropRest, pin, type Said } from './annotations.ts'
import { Intake, type Quotas, RING_COLUMNS, RINGS, type Ringed, Rings, ringed } from './intake.ts'
import type { WriterStatus } from './status.ts'
import { NOTHING_MOVED, Trash, type TrashedIn, type TrashOrder, type TrashStep } from './trash.ts'

/** Deliveries between two saves of the row count, to limit the counting after a crash. */
const COUNT_EVERY = 20_000

/** Durations of answers in microseconds, by delivery. */
export type Took = ReadonlyMap<number, number>

export interface Change {
  readonly deliveries: readonly { readonly id: number; readonly record: Buffer }[]
  /** Durations for these and earlier deliveries; durations of later ones are ignored. */
  readonly took: Took
  /** Id up to which every delivery is now filed. */
  readonly highestId: number
  /** Id up to which the records of a shared log are now filed. */
  readonly mirrored?: number
  /** Further work in the same transaction, such as saving the position in the log. */
  readonly extra?: () => void
}

/** Result of one commit. */
export interface Committed {
  /** Deliveries that SQLite refused because of their own data, with its message. */
  readonly problems: ReadonlyMap<number, string>
  readonly evicted: readonly number[]
}

/** A delivery salvaged from a database set aside. */
export interface SavedRow {
  readonly id: number
  readonly record: Uint8Array
  /** Column values that a record does not contain. */
  readonly answeredBy: string | null
  readonly crc: number | null
  readonly said: Said
  /** Null: it was not in the trash. */
  readonly trashed: TrashedIn | null
}

export interface SavedPiece extends Piece {
  readonly crc: number | null
}

type Counts = Pick<WriterStatus, 'stored' | 'rings' | 'highestId' | 'mirrored' | 'trashed' | 'budgetDeleted'>

export interface Deleted {
  readonly ids: readonly number[]
  readonly bytes: number
  readonly oldest: number | null
  readonly newest: number | null
}

/** captured.db for the writer: commits changes of deliveries and maintains their counts. */
export class Captured {
  readonly db: DatabaseSync
  readonly statements: Statements
  readonly intake: Intake
  readonly #trash: Trash
  readonly #rings: Rings
  #highestId: number
  #mirrored: number
  #stored: number
  #trashed: Counts['trashed']
  #budgetDeleted: number
  #countedAt: number

  constructor(db: DatabaseSync, quotas: Quotas) {
    this.db = db
    this.statements = new Statements(db)
    this.intake = new Intake(this.statements)
    this.#trash = new Trash(this.statements)
    this.#trashed = this.#trash.count()
    this.#budgetDeleted = this.#meta('budget_deleted')
    this.#rings = new Rings(this.statements, quotas)
    this.#mirrored = this.#meta('mirrored')
    this.#highestId = Math.max(highestId(this.statements), this.#meta('last_id'), this.#mirrored)
    this.#countedAt = this.#meta('counted_upto')
    const since = this.statements.one`SELECT count(*) AS n FROM delivery WHERE id > ${this.#countedAt}`
    this.#stored = this.#meta('counted') + Number(since?.n)
  }

  counts(): Counts {
    return {
      trashed: this.#trashed,
      stored: this.#stored,
      rings: this.#rings.counts(),
      budgetDeleted: this.#budgetDeleted,
      highestId: this.#highestId,
      mirrored: this.#mirrored,
    }
  }

  get highestId(): number {
    return this.#highestId
  }

  get mirrored(): number {
    return this.#mirrored
  }

  /**
   * Inserts deliveries in one transaction. A row that SQLite refuses because of its own data does not fail the others. Not synced: a
   * power cut may undo it, and then the log still has the deliveries.
   * @throws SQLite's error when the database itself fails; then nothing is stored
   */
  commit(change: Change): Committed {
    try {
      return this.#commit(change, false)
    } catch (error) {
      this.intake.forget()
      if (failureOf(error) !== 'row') throw error
      return this.#commit(change, true)
    }
  }

  /**
   * Deletes deliveries with everything that belongs to them, in one transaction.
   * @param forBudget true when the store exceeded its budget
   */
  delete(ids: readonly number[], forBudget = false): Deleted {
    return inTransaction(this.db, () => {
      const deleted = this.#delete(ids)
      this.#stored -= deleted.ids.length
      if (forBudget) {
        this.#budgetDeleted += deleted.ids.length
        writeMeta(this.statements, 'budget_deleted', this.#budgetDeleted)
      }
      this.#saveCounts()
      return deleted
    })
  }

  /**
   * Moves deliveries to the trash in one transaction. Without a batch, it begins one.
   * @returns the batch, null while it is empty; and the number of pinned deliveries that were spared
   */
  trash(
    ids: readonly number[],
    { batch, at, filter, sparePinned }: Omit<TrashOrder, 'ids'> & { readonly batch: number | null },
  ): { readonly batch: number | null; readonly step: TrashStep; readonly spared: number } {
    const pinned = 'SELECT 1 FROM pin WHERE delivery_id = ?'
    const going = sparePinned ? ids.filter((id) => !this.statements.get(pinned).get(id)) : ids
    const there = going.filter((id) => this.statements.has`SELECT 1 FROM delivery WHERE id = ${id}`)
    const spared = ids.length - going.length
    if (there.length === 0) return { batch, step: NOTHING_MOVED, spared }
    return inTransaction(this.db, () => {
      const into = batch ?? this.#trash.begin(at, filter)
      const step = this.#trash.move(there, into)
      this.#moved(step, -1)
      writeMeta(this.statements, 'deletions', this.#meta('deletions') + 1)
      return { batch: into, step, spared }
    })
  }

  /** Restores at most `limit` deliveries of a batch, in one transaction. */
  restore(batch: number, limit: number): TrashStep {
    return inTransaction(this.db, () => {
      const step = this.#trash.restore(batch, limit)
      this.#moved(step, 1)
      writeMeta(this.statements, 'restorations', this.restorations + 1)
      return step
    })
  }

  /** Deletes at most `limit` deliveries of a batch permanently, in one transaction. */
  emptyTrash(batch: number, limit: number): TrashStep {
    return inTransaction(this.db, () => {
      const step = this.#trash.empty(batch, limit)
      const { deliveries, bytes } = this.#trashed
      this.#trashed = { deliveries: deliveries - step.ids.length, bytes: bytes - step.bytes }
      writeMeta(this.statements, 'deletions', this.#meta('deletions') + 1)
      return step
    })
  }

  inTrash(batch: number): boolean {
    return this.#trash.exists(batch)
  }

  /** Batches that have been in the trash for a day. @param now milliseconds since the epoch; null: all batches */
  trashDue(now: number | null): readonly number[] {
    return inTransaction(this.db, () => this.#trash.due(now))
  }

  /** @returns ids of the deliveries that exceeded the new quotas; they are deleted at once */
  setQuotas(quotas: Quotas): readonly number[] {
    this.#rings.quotas = quotas
    return this.commit({ deliveries: [], took: new Map(), highestId: this.#highestId }).evicted
  }

  get restorations(): number {
    return this.#meta('restorations')
  }

  /** Bytes of unused pages. */
  reusableBytes(): number {
    return this.statements.number`PRAGMA freelist_count` * PAGE_SIZE
  }

  get deletions(): number {
    return this.#meta('deletions')
  }

  pin(ids: readonly number[], pinned: boolean, by: By): number {
    return inTransaction(this.db, () => pin(this.statements, ids, pinned, by))
  }

  /**
   * Changes notes and tags in one transaction. @returns ids of the changed deliveries
   * @throws AcuseError `conflict` for too many tags; then nothing is changed
   */
  annotate(change: AnnotateParams, by: By): number[] {
    return inTransaction(this.db, () => annotate(this.statements, change, by))
  }

  /** @param crc as for `Intake.insert` */
  addChunk(
    upload: string,
    seq: number,
    bytes: Uint8Array,
    crc: number | null = checksum(placeOf(upload, seq), bytes),
  ): void {
    this.statements
      .run`INSERT OR REPLACE INTO chunk (upload, seq, bytes, crc) VALUES (${upload}, ${seq}, ${bytes}, ${crc})`
  }

  dropChunks(upload: string): void {
    this.statements.run`DELETE FROM chunk WHERE upload = ${upload}`
  }

  /**
   * Inserts a salvaged delivery under its old id. A delivery from the trash goes to the trash.
   * @param now milliseconds since the epoch
   * @returns false when the id is already stored
   */
  adopt({ id, record, answeredBy, crc, said, trashed }: SavedRow, now: number): boolean {
    if (this.#has(id)) return false
    inTransaction(this.db, () => {
      const member = this.intake.insert(id, Buffer.from(record), null, crc)
      if (answeredBy !== null)
        this.statements.run`UPDATE delivery SET answered_by = ${answeredBy} WHERE id = ${id}`
      adoptSaid(this.statements, id, said)
      // A follower still files the deliveries around one of the trash.
      if (!trashed) this.#highestId = Math.max(this.#highestId, id)
      this.#stored += 1
      if (member) this.#rings.change([member], 1)
      if (trashed) this.#moved(this.#trash.move([id], this.#trash.adopted(trashed, now)), -1)
      else this.#saveCounts()
    })
    return true
  }

  close(): void {
    try {
      inTransaction(this.db, () => this.#saveCounts())
    } finally {
      this.db.close()
    }
  }

  #commit(
    { deliveries, took, highestId: highest, mirrored = this.#mirrored, extra }: Change,
    singly: boolean,
  ): Committed {
    const before = this.#highestId
    const problems = new Map<number, string>()
    const ringed: Ringed[] = []
    let added = 0
    const after = Math.max(before, highest)
    const { stored, evicted } = withoutSync(this.db, () => {
      for (const { id, record } of deliveries) {
        // A log that is new to the database may have deliveries that are already stored, or taken over into the trash.
        if ((id <= before || this.#trashed.deliveries > 0) && this.#has(id)) continue
        const tookUs = took.get(id) ?? null
        const problem = singly ? this.#tryInsert(id, record, tookUs) : this.intake.insert(id, record, tookUs)
        if (typeof problem === 'string') {
          problems.set(id, problem)
          continue
        }
        if (problem) ringed.push(problem)
        added += 1
      }
      for (const [id, tookUs] of took) {
        if (id <= before) this.statements.run`UPDATE delivery SET took_us = ${tookUs} WHERE id = ${id}`
      }
      if (mirrored !== this.#mirrored) writeMeta(this.statements, 'mirrored', mirrored)
      extra?.()
      const gone = this.#overflow(ringed)
      const count = this.#stored + added - gone.length
      if (gone.length > 0 || after - this.#countedAt > COUNT_EVERY) this.#saveCounts(after, count)
      return { stored: count, evicted: gone }
    })
    this.#highestId = after
    this.#mirrored = mirrored
    this.#stored = stored
    this.#rings.change(ringed, 1)
    return { problems, evicted }
  }

  #has(id: number): boolean {
    return this.statements.has`SELECT 1 FROM delivery WHERE id = ${id}` || this.#trash.has(id)
  }

  #tryInsert(id: number, record: Buffer, tookUs: number | null): Ringed | null | string {
    this.db.exec('SAVEPOINT one')
    try {
      return this.intake.insert(id, record, tookUs)
    } catch (error) {
      if (failureOf(error) !== 'row') throw error
      this.db.exec('ROLLBACK TO one')
      this.intake.forget()
      return words(error)
    } finally {
      if (this.db.isTransaction) this.db.exec('RELEASE one')
    }
  }

  /** Evicts deliveries from rings that would exceed their quotas. */
  #overflow(added: readonly Ringed[]): readonly number[] {
    return RINGS.flatMap((ring) => {
      const over = this.#rings.over(ring, added)
      if (over.length === 0) return []
      const { ids } = this.#delete(over)
      this.#rings.evicted(ring, ids.length)
      return ids
    })
  }

  #delete(ids: readonly number[]): Deleted {
    const gone: number[] = []
    let bytes = 0
    let oldest: number | null = null
    let newest: number | null = null
    for (const id of ids) {
      const row = this.statements
        .one`DELETE FROM delivery WHERE id = ${id} RETURNING upload, received_at, ${raw(RING_COLUMNS)}`
      if (!row) continue
      gone.push(id)
      bytes += Number(row.stored_bytes)
      const at = Number(row.received_at)
      oldest = oldest === null ? at : Math.min(oldest, at)
      newest = newest === null ? at : Math.max(newest, at)
      const member = ringed(row)
      if (member) this.#rings.change([member], -1)
      dropRest(this.statements, id, row.upload)
    }
    if (gone.length > 0) writeMeta(this.statements, 'deletions', this.#meta('deletions') + 1)
    return { ids: gone, bytes, oldest, newest }
  }

  /** @param by -1: moved into the trash; 1: restored from it */
  #moved({ ids, bytes, ringed: members }: TrashStep, by: 1 | -1): void {
    this.#stored += by * ids.length
    this.#rings.change(members, by)
    this.#trashed = {
      deliveries: this.#trashed.deliveries - by * ids.length,
      bytes: this.#trashed.bytes - by * bytes,
    }
    this.#saveCounts()
  }

  #saveCounts(highest = this.#highestId, stored = this.#stored): void {
    writeMeta(this.statements, 'last_id', highest)
    writeMeta(this.statements, 'counted_upto', highest)
    writeMeta(this.statements, 'counted', stored)
    this.#countedAt = highest
  }

  #meta(key: MetaKey): number {
    return readMeta(this.statements, key)
  }
}

/** Uploads without a delivery: the process ended after storing chunks and before their delivery. */
export function orphanUploads(statements: Statements): string[] {
  return statements.all`SELECT DISTINCT upload FROM chunk WHERE upload NOT IN (SELECT upload FROM delivery
    WHERE upload IS NOT NULL UNION ALL SELECT upload FROM trashed WHERE upload IS NOT NULL)`.map((row) =>
    String(row.upload),
  )
}
