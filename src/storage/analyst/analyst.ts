import type { DatabaseSync } from 'node:sqlite'
import type { Kind } from '#catalog/kinds.ts'
import type { Analysis, Judged, See } from '#core/checks/analysis.ts'
import { OpenFiles } from '../disk/files.ts'
import { inTransaction, openForReading, Statements, withoutSync } from '../sql/connection.ts'
import { readMeta, readProgress, writeProgress } from '../sql/numbers.ts'
import { Attempts } from './attempts.ts'
import { checkpointDerived, openDerived } from './derived.ts'
import { type CapturedRow, capturedRows, isRisky, Records } from './records.ts'

/** Limits of one transaction: a number of deliveries, and the bytes of their bodies. */
const ROWS = 400
const BYTES = 4 * 1024 * 1024

export interface JudgedBatch {
  readonly firstId: number
  readonly lastId: number
  readonly count: number
  /** Kinds for which this batch showed a drift. */
  readonly drifted: readonly Kind[]
}

/** Analyses the deliveries of captured.db in order of arrival, and writes the results into derived.db. */
export class Analyst {
  readonly #captured: DatabaseSync
  readonly #source: Statements
  readonly #derived: DatabaseSync
  readonly #target: Statements
  readonly #records: Records
  readonly #derivedFiles: OpenFiles
  readonly #attempts: Attempts
  #upto: number
  readonly #restored: Restored

  /** @throws SQLite's error */
  constructor(
    paths: { readonly captured: string; readonly derived: string; readonly rebuild: boolean },
    analyse: (judged: Judged, see?: See) => Analysis,
  ) {
    this.#captured = openForReading(paths.captured, 1)
    this.#source = new Statements(this.#captured)
    this.#derived = openDerived(paths.derived, paths.rebuild)
    this.#derivedFiles = new OpenFiles(paths.derived)
    this.#target = new Statements(this.#derived)
    this.#upto = readProgress(this.#target, 'analysed_upto')
    this.#attempts = new Attempts(this.#target)
    this.#records = new Records(this.#source, this.#target, analyse)
    this.#sweep()
    this.#restored = new Restored(this.#source, this.#target, this.#upto)
  }

  get upto(): number {
    return this.#upto
  }

  /** The file of derived.db that another program removed or replaced; null when there is none. */
  get moved(): string | null {
    return this.#derivedFiles.moved()
  }

  /** @param names of headers, in lower case; deliveries analysed from now on are not indexed with their values */
  hide(names: readonly string[]): void {
    this.#records.hide(names)
  }

  /** Analyses the next batch. @param known the highest id that may be analysed @returns undefined when no delivery is left */
  step(most = ROWS, known = Number.POSITIVE_INFINITY): JudgedBatch | undefined {
    const rows = this.#next(most, known)
    const [first, last] = [rows.at(0), rows.at(-1)]
    if (!first || !last) return undefined
    let drifted: readonly Kind[] = []
    this.#analyse(rows, false, () => {
      drifted = this.#records.observed.drifted
      writeProgress(this.#target, { analysed_upto: last.id })
    })
    this.#upto = last.id
    checkpointDerived(this.#target, false)
    return { firstId: first.id, lastId: last.id, count: rows.length, drifted }
  }

  /** Number of restored deliveries that wait for analysis. */
  get pending(): number {
    return this.#restored.waiting
  }

  /** Analyses the next batch of restored deliveries. @returns their ids; undefined when none waits */
  stepRestored(): readonly number[] | undefined {
    if (this.#restored.waiting === 0) return undefined
    const { rows, take } = this.#batch()
    const taken = this.#restored.take(ROWS, (id) => {
      const [row] = capturedRows(this.#source, id - 1, 1)
      return row?.id !== id || take(row)
    })
    this.#analyse(rows, true, () => this.#restored.settle(taken))
    this.#restored.drop(taken)
    checkpointDerived(this.#target, false)
    return rows.map(({ id }) => id)
  }

  /** Queues deliveries restored from the trash for `stepRestored`. @param restoration number of restorations so far, with this one */
  restore(ids: readonly number[], restoration: number): void {
    // `step` will reach the later ones.
    const reached = ids.filter((id) => id <= this.#upto)
    this.#restored.add(reached, restoration)
  }

  /** Checkpoints, and frees the caches, which a burst fills: the memory of exports, for example, takes their place. */
  idle(): void {
    checkpointDerived(this.#target, true)
    this.#derived.exec('PRAGMA shrink_memory')
    this.#captured.exec('PRAGMA shrink_memory')
  }

  /** Deletes the results of deleted deliveries. @param deletion number of deletions so far, with this one */
  forget(ids: readonly number[], deletion: number): void {
    this.#write(() => {
      for (const id of ids) this.#records.forget(id)
      // If the analyst missed a deletion, its counter stays behind, and the next open compares all ids.
      if (readProgress(this.#target, 'deletions') === deletion - 1)
        writeProgress(this.#target, { deletions: deletion })
    })
  }

  /** Analyses deliveries salvaged from a database set aside: their ids lie at or below `upto`, where `step` does not look any more. */
  revisit(from: number): void {
    if (from > this.#upto) return
    const missing = this.#source
      .numbers`SELECT id FROM delivery WHERE id >= ${from} AND id <= ${this.#upto}`.filter(
      (id) => !this.#target.has`SELECT 1 FROM analysis WHERE delivery_id = ${id}`,
    )
    let batch = this.#batch()
    for (const id of missing)
      for (const row of capturedRows(this.#source, id - 1, 1)) {
        if (batch.take(row)) continue
        this.#analyse(batch.rows, false)
        batch = this.#batch()
        batch.take(row)
      }
    this.#analyse(batch.rows, false)
  }

  /** Resets the profiles of some kinds; later deliveries build them anew. @returns ids of the deliveries that lose their drift mark */
  relearn(kinds: readonly Kind[]): readonly number[] {
    const marked: number[] = []
    this.#write(() => {
      for (const kind of kinds) marked.push(...this.#records.observed.forgetKind(kind, this.#upto))
    }, inTransaction)
    return marked
  }

  close(): void {
    this.#captured.close()
    this.#derived.close()
  }

  /** @param again the profiles of their kinds already count these deliveries @param also further work in the same transaction */
  #analyse(rows: readonly CapturedRow[], again: boolean, also: () => void = () => {}): void {
    const risky = rows.filter(isRisky)
    const [first, last] = [risky.at(0), risky.at(-1)]
    if (first && last) this.#attempts.begin(first.id, last.id)
    this.#write(() => {
      for (const row of rows) this.#records.store(row, again)
      also()
      if (first) this.#attempts.end()
    })
  }

  /** Gathers a batch. A delivery with a large body, or whose body may have ended the thread, gets a batch of its own. */
  #batch(most = ROWS): { readonly rows: readonly CapturedRow[]; take(row: CapturedRow): boolean } {
    const rows: CapturedRow[] = []
    let left = BYTES
    return {
      rows,
      take: (row) => {
        const alone = row.size >= BYTES / 4 || this.#attempts.suspects(row.id)
        if (rows.length > 0 && (alone || left < row.size || rows.length >= most)) return false
        rows.push(row)
        left = alone ? 0 : left - row.size
        return true
      },
    }
  }

  /** Not synced: a power cut undoes results together with the progress, and the next open makes them again. */
  #write(work: () => void, transaction = withoutSync): void {
    try {
      transaction(this.#derived, () => {
        work()
        this.#records.write()
      })
    } catch (error) {
      this.#records.rolledBack()
      throw error
    }
  }

  #next(most: number, known: number): readonly CapturedRow[] {
    const { rows, take } = this.#batch(most)
    for (const row of capturedRows(this.#source, this.#upto, most)) if (row.id > known || !take(row)) break
    return rows
  }

  /** Catches up on deletions that happened while no analyst ran. */
  #sweep(): void {
    if (readProgress(this.#target, 'deletions') === readMeta(this.#source, 'deletions')) return
    const known = new Set(this.#source.numbers`SELECT id FROM delivery`)
    const gone = this.#target.numbers`SELECT delivery_id AS id FROM analysis`.filter((id) => !known.has(id))
    for (let at = 0; at < gone.length; at += ROWS)
      this.#write(() => {
        for (const id of gone.slice(at, at + ROWS)) this.#records.forget(id)
      })
    writeProgress(this.#target, { deletions: readMeta(this.#source, 'deletions') })
  }
}

/** Queue of restored deliveries that wait for analysis. If the process missed a restoration, the next open looks for its deliveries. */
export class Restored {
  readonly #target: Statements
  #ids: number[] = []
  /** Number of restorations to record as done when the queue is empty. */
  #upto: number

  /** @param reached every delivery up to this id has been analysed, or was restored */
  constructor(captured: Statements, derived: Statements, reached: number) {
    this.#target = derived
    this.#upto = readProgress(derived, 'restorations')
    const now = readMeta(captured, 'restorations')
    if (this.#upto === now) return
    this.#upto = now
    this.#ids = captured.numbers`SELECT id FROM delivery WHERE id <= ${reached} ORDER BY id`.filter(
      (id) => !this.#known(id),
    )
    if (this.#ids.length === 0) writeProgress(derived, { restorations: now })
  }

  get waiting(): number {
    return this.#ids.length
  }

  add(ids: readonly number[], restoration: number): void {
    for (const id of ids) this.#ids.push(id)
    // If the process missed a restoration, the counter stays behind, and the next open looks for its deliveries.
    if (restoration === this.#upto + 1) this.#upto = restoration
    if (this.#ids.length === 0) writeProgress(this.#target, { restorations: this.#upto })
  }

  /** Gives ids to `give` until it refuses one; skips analysed deliveries. @returns how many were used, for `settle` and `drop` */
  take(limit: number, give: (id: number) => boolean): number {
    let taken = 0
    for (const id of this.#ids.slice(0, limit)) {
      if (!this.#known(id) && !give(id)) break
      taken += 1
    }
    return taken
  }

  /** Call in the transaction that stores the analysis. */
  settle(taken: number): void {
    if (taken === this.#ids.length) writeProgress(this.#target, { restorations: this.#upto })
  }

  /** Call after that transaction has committed. */
  drop(taken: number): void {
    this.#ids.splice(0, taken)
  }

  #known(id: number): boolean {
    return this.#target.has`SELECT 1 FROM analysis WHERE delivery_id = ${id}`
  }
}
