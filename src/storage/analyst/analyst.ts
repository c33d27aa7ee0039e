import type { DatabaseSync } from 'node:sqlite'
import type { Kind } from '#catalog/kinds.ts'
import type { Analysis, Judged, See } from '#core/checks/analysis.ts'
import { OpenFiles } from '../disk/files.ts'
import { inTransaction, openForReading, Statements } from '../sql/connection.ts'
import { readMeta, readProgress, writeProgress } from '../sql/numbers.ts'
import { Attempts } from './attempts.ts'
import { checkpointDerived, openDerived } from './derived.ts'
import { type CapturedRow, capturedRows, isRisky, Records } from './records.ts'

/** Deliveries per transaction, and the bytes of bodies after which it ends early. */
const ROWS = 400
const BYTES = 4 * 1024 * 1024

export interface JudgedBatch {
  readonly firstId: number
  readonly lastId: number
  readonly count: number
  /** Kinds of which one of them showed something first. */
  readonly drifted: readonly Kind[]
}

/** Reads what has not been analysed yet, in order of arrival, and writes what follows from it into derived.db. */
export class Analyst {
  readonly #captured: DatabaseSync
  readonly #source: Statements
  readonly #derived: DatabaseSync
  readonly #target: Statements
  readonly #records: Records
  readonly #derivedPath: string
  readonly #derivedFiles: OpenFiles
  readonly #attempts: Attempts
  #upto: number
  readonly #restored: Restored

  /** @throws SQLite's error */
  constructor(
    paths: { readonly captured: string; readonly derived: string; readonly rebuild: boolean },
    analyse: (judged: Judged, see?: See) => Analysis,
  ) {
    this.#derivedPath = paths.derived
    this.#captured = openForReading(paths.captured)
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

  /** Which file of derived.db another program removed or replaced; null while none was. */
  get moved(): string | null {
    return this.#derivedFiles.moved()
  }

  /** @param names lower case, of headers whose values are not to be found by a search from now on */
  hide(names: readonly string[]): void {
    this.#records.hide(names)
  }

  /** Analyses the next batch. @param known the highest id that may be analysed @returns undefined when nothing is left */
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
    checkpointDerived(this.#derived, this.#derivedPath, false)
    return { firstId: first.id, lastId: last.id, count: rows.length, drifted }
  }

  /** How many deliveries that were restored wait for their analysis. */
  get pending(): number {
    return this.#restored.waiting
  }

  /** Analyses the next of those that were restored. @returns undefined when none waits */
  stepRestored(): readonly number[] | undefined {
    if (this.#restored.waiting === 0) return undefined
    const { rows, take } = this.#batch()
    const taken = this.#restored.take(ROWS, (id) => {
      const [row] = capturedRows(this.#source, id - 1, 1)
      return row?.id !== id || take(row)
    })
    this.#analyse(rows, true, () => this.#restored.settle(taken))
    this.#restored.drop(taken)
    checkpointDerived(this.#derived, this.#derivedPath, false)
    return rows.map(({ id }) => id)
  }

  /** Deliveries are back that had been forgotten; they wait for `stepRestored`. @param restoration which of all restorations ever it was */
  restore(ids: readonly number[], restoration: number): void {
    // Those beyond what has been reached are analysed in their turn.
    const reached = ids.filter((id) => id <= this.#upto)
    this.#restored.add(reached, restoration)
  }

  idle(): void {
    checkpointDerived(this.#derived, this.#derivedPath, true)
  }

  /** Drops what was derived from deliveries that are gone. @param deletion which of all deletions ever this was */
  forget(ids: readonly number[], deletion: number): void {
    this.#write(() => {
      for (const id of ids) this.#records.forget(id)
      // One that was missed leaves the numbers apart, and the next open sweeps.
      if (readProgress(this.#target, 'deletions') === deletion - 1)
        writeProgress(this.#target, { deletions: deletion })
    })
  }

  /** Analyses deliveries that came back from a database set aside, which lie below what has been reached. */
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

  /** Forgets what was observed of some kinds: later deliveries teach anew. @returns deliveries that lose their mark */
  relearn(kinds: readonly Kind[]): readonly number[] {
    const marked: number[] = []
    this.#write(() => {
      for (const kind of kinds) marked.push(...this.#records.observed.forgetKind(kind, this.#upto))
    })
    return marked
  }

  close(): void {
    this.#captured.close()
    this.#derived.close()
  }

  /** @param again they have taught what their kinds look like before @param also what belongs to the same transaction */
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

  /** Gathers deliveries to be analysed together. A large body, or one that may have ended the analysis, is analysed alone. */
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

  #write(work: () => void): void {
    try {
      inTransaction(this.#derived, () => {
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

  /** Follows deletions that happened while no analyst ran. */
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

/** Deliveries that came back from the trash and wait to be analysed again. What the process missed is looked for at the next open. */
export class Restored {
  readonly #target: Statements
  #ids: number[] = []
  /** Followed as soon as nothing waits. */
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
    // One that was missed leaves the numbers apart, and the next open looks for it.
    if (restoration === this.#upto + 1) this.#upto = restoration
    if (this.#ids.length === 0) writeProgress(this.#target, { restorations: this.#upto })
  }

  /** Gives the next ones to the analysis until it does not take one; analysed ones are passed over. @returns for `settle` and `drop` */
  take(limit: number, give: (id: number) => boolean): number {
    let taken = 0
    for (const id of this.#ids.slice(0, limit)) {
      if (!this.#known(id) && !give(id)) break
      taken += 1
    }
    return taken
  }

  /** Call in the transaction that keeps their analysis. */
  settle(taken: number): void {
    if (taken === this.#ids.length) writeProgress(this.#target, { restorations: this.#upto })
  }

  /** Call once it is committed. */
  drop(taken: number): void {
    this.#ids.splice(0, taken)
  }

  #known(id: number): boolean {
    return this.#target.has`SELECT 1 FROM analysis WHERE delivery_id = ${id}`
  }
}
