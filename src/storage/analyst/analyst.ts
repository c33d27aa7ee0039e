import { hash as digest } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Kind } from '#catalog/kinds.ts'
import { REPLAY_HEADER } from '#contract/replay.ts'
import type { Analysis, Judged, See } from '#core/checks/analysis.ts'
import { folded } from '#core/filter/glob.ts'
import { codingsOf, decodeBody } from '../body/codings.ts'
import { packFindings } from '../body/packed-findings.ts'
import { asBuffer, readBody } from '../body/stored-body.ts'
import { MARK_BITS, verdictRank } from '../sql/columns.ts'
import { inTransaction, openForReading, Statements } from '../sql/connection.ts'
import { kindNumber, minuteOf } from '../sql/rollup-columns.ts'
import { unpackHeaders } from '../wire/record.ts'
import { type CapturedRow, capturedRows } from './captured-rows.ts'
import { checkpointDerived, openDerived, readProgress, writeProgress } from './derived.ts'
import { DocumentEvents } from './document-events.ts'
import { DocumentList } from './document-list.ts'
import { ObservedKinds } from './observed.ts'
import { Restored } from './restored.ts'
import { Rollup } from './rollup.ts'
import { searchable } from './searchable.ts'
import { storedEvents } from './stored-events.ts'

/** Deliveries per transaction, and the bytes of bodies after which it ends early. */
const ROWS = 1_500
const BYTES = 4 * 1024 * 1024
/** A body from here on is announced before it is analysed, so that one that brings the thread down is known at the next start. */
const RISKY = 1024 * 1024
/** Arrived more than five minutes after its Timestamp (readings, Delivery). */
const LATE_US = 5 * 60 * 1_000_000
const HASH_BYTES = 16

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
  readonly #documents: DocumentEvents
  readonly #rollup: Rollup
  readonly #list: DocumentList
  readonly #observed: ObservedKinds
  readonly #derivedPath: string
  readonly #analyse: (judged: Judged, see?: See) => Analysis
  #upto: number
  #poison: number
  readonly #restored: Restored
  #secretHeaders: ReadonlySet<string> = new Set()

  /** @throws SQLite's error */
  constructor(
    paths: { readonly captured: string; readonly derived: string; readonly rebuild: boolean },
    analyse: (judged: Judged, see?: See) => Analysis,
  ) {
    this.#analyse = analyse
    this.#derivedPath = paths.derived
    this.#captured = openForReading(paths.captured)
    this.#source = new Statements(this.#captured)
    this.#derived = openDerived(paths.derived, paths.rebuild)
    this.#target = new Statements(this.#derived)
    this.#documents = new DocumentEvents(this.#target)
    this.#rollup = new Rollup(this.#target)
    this.#list = new DocumentList(this.#target)
    this.#observed = new ObservedKinds(this.#target)
    this.#upto = readProgress(this.#target, 'analysed_upto')
    this.#poison = readProgress(this.#target, 'attempting')
    this.#sweep()
    this.#restored = new Restored(this.#source, this.#target, this.#upto)
  }

  get upto(): number {
    return this.#upto
  }

  /** @param names lower case, of headers whose values are not to be found by a search from now on */
  hide(names: readonly string[]): void {
    if (names.length !== this.#secretHeaders.size || !names.every((name) => this.#secretHeaders.has(name)))
      this.#secretHeaders = new Set(names)
  }

  /** Analyses the next batch. @returns undefined when there is nothing left */
  step(): JudgedBatch | undefined {
    const rows = this.#next()
    const [first, last] = [rows.at(0), rows.at(-1)]
    if (!first || !last) return undefined
    const risky = rows.length === 1 && first.size >= RISKY
    if (risky) writeProgress(this.#target, 'attempting', first.id)
    let drifted: readonly Kind[] = []
    this.#write(() => {
      for (const row of rows) this.#store(row)
      drifted = this.#observed.drifted
      writeProgress(this.#target, 'analysed_upto', last.id)
      if (risky) writeProgress(this.#target, 'attempting', 0)
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
    const rows: CapturedRow[] = []
    let bytes = 0
    const taken = this.#restored.take(ROWS, (id) => {
      const [row] = capturedRows(this.#source, id - 1, 1)
      if (row?.id !== id) return true
      // One large body makes a batch of its own.
      if (rows.length > 0 && (bytes + row.size > BYTES || Math.max(bytes, row.size) >= RISKY)) return false
      rows.push(row)
      bytes += row.size
      return true
    })
    const [first] = rows
    const risky = first !== undefined && first.size >= RISKY
    if (risky) writeProgress(this.#target, 'attempting', first.id)
    this.#write(() => {
      for (const row of rows) this.#store(row, true)
      this.#restored.settle(taken)
      if (risky) writeProgress(this.#target, 'attempting', 0)
    })
    this.#restored.drop(taken)
    checkpointDerived(this.#derived, this.#derivedPath, false)
    return rows.map(({ id }) => id)
  }

  /**
   * Deliveries are back that had been forgotten; they wait until `stepRestored` comes to them.
   * @param restoration which of all restorations ever this was
   */
  restore(ids: readonly number[], restoration: number): void {
    this.#restored.add(
      // Those beyond what has been reached are analysed in their turn.
      ids.filter((id) => id <= this.#upto),
      restoration,
    )
  }

  /** Call when there is nothing to do. */
  idle(): void {
    checkpointDerived(this.#derived, this.#derivedPath, true)
  }

  /**
   * Drops what was derived from deliveries that are gone.
   * @param deletion which of all deletions ever this was
   */
  forget(ids: readonly number[], deletion: number): void {
    this.#write(() => {
      for (const id of ids) this.#forgetOne(id)
      // One that was missed leaves the numbers apart, and the next open sweeps.
      if (readProgress(this.#target, 'deletions') === deletion - 1)
        writeProgress(this.#target, 'deletions', deletion)
    })
  }

  /** Analyses deliveries that came back from a database set aside, which lie below what has been reached. */
  revisit(from: number): void {
    if (from > this.#upto) return
    const missing = this.#source
      .get('SELECT id FROM delivery WHERE id >= ? AND id <= ?')
      .all(from, this.#upto)
      .map((row) => Number(row.id))
      .filter((id) => !this.#target.get('SELECT 1 FROM analysis WHERE delivery_id = ?').get(id))
    for (let at = 0; at < missing.length; at += ROWS)
      this.#write(() => {
        for (const id of missing.slice(at, at + ROWS))
          for (const row of capturedRows(this.#source, id - 1, 1)) this.#store(row)
      })
  }

  /** Forgets what was observed of some kinds: what comes from now on teaches anew. @returns deliveries that lose their mark */
  relearn(kinds: readonly Kind[]): readonly number[] {
    const marked: number[] = []
    this.#write(() => {
      for (const kind of kinds) marked.push(...this.#observed.forgetKind(kind, this.#upto))
    })
    return marked
  }

  close(): void {
    this.#captured.close()
    this.#derived.close()
  }

  #write(work: () => void): void {
    try {
      inTransaction(this.#derived, () => {
        work()
        this.#rollup.write()
        this.#list.write((key) => storedEvents(this.#source, this.#target, key))
        this.#observed.write()
      })
    } catch (error) {
      this.#documents.rolledBack()
      this.#rollup.rolledBack()
      this.#list.rolledBack()
      this.#observed.rolledBack()
      throw error
    }
  }

  /** One large body makes a batch of its own. */
  #next(): CapturedRow[] {
    const rows: CapturedRow[] = []
    let bytes = 0
    for (const row of capturedRows(this.#source, this.#upto, ROWS)) {
      if (rows.length > 0 && row.size >= RISKY) break
      rows.push(row)
      bytes += row.size
      if (bytes >= BYTES) break
    }
    return rows
  }

  /** @param again it has taught what its kind looks like before */
  #store(row: CapturedRow, again = false): void {
    const headers = unpackHeaders(row.headers)
    // What was not received has no place among what was.
    const apart = row.rejected || row.synthetic
    const replay = headerValue(headers, REPLAY_HEADER.toLowerCase()) !== null
    const { analysis, hash } = this.#judge(row, headers, !again && !apart && !replay && !row.malformed)
    const instant = apart ? null : (analysis.timestamp?.instant ?? null)
    const documentKey = analysis.documentId === null ? null : lower(analysis.documentId)
    const marks = apart ? 0 : this.#marks(row, replay, hash, documentKey, instant)
    const verdict = verdictRank(analysis.verdict)
    const minute = minuteOf(row.receivedAt)
    // Never OR REPLACE: looking for what might be replaced costs seven times the insertion, and progress is kept in the same transaction.
    this.#target
      .get(
        `INSERT INTO analysis (delivery_id, event, kind, "group", document_id, document_key, number, status_id,
         timestamp, instant, verdict, finding_count, marks, endpoint, body_hash, minute, party)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        row.id,
        analysis.event,
        analysis.kind,
        analysis.group,
        analysis.documentId,
        documentKey,
        analysis.number,
        analysis.statusId,
        analysis.timestamp?.text ?? null,
        instant,
        verdict,
        analysis.findingCount,
        marks,
        row.endpoint,
        apart ? null : hash,
        minute,
        analysis.party === null ? null : folded(analysis.party),
      )
    this.#rollup.count({ minute, endpoint: row.endpoint, kindNo: kindNumber(analysis.kind), verdict }, 1)
    if (!apart) this.#documents.keep(row, documentKey, analysis)
    if (!row.rejected) this.#list.keepAnalysed(row, documentKey, analysis, verdict, marks)
    if (analysis.findings.length > 0)
      this.#target
        .get('INSERT INTO findings (delivery_id, packed) VALUES (?, ?)')
        .run(row.id, packFindings(analysis.findings))
    this.#target
      .get('INSERT INTO search (rowid, text) VALUES (?, ?)')
      .run(row.id, searchable(analysis.searchText, row.url, headers, this.#secretHeaders))
  }

  /** A delivery whose analysis fails is unreadable, with the reason; it must never stop the ones behind it. */
  #judge(
    row: CapturedRow,
    headers: readonly string[],
    teaches: boolean,
  ): { analysis: Analysis; hash: Buffer | null } {
    const see: See = (kind, tree) => this.#observed.see(row.id, row.receivedAt, kind, tree)
    const judged = (body: Judged['body']): Judged => ({
      method: row.method,
      contentType: headerValue(headers, 'content-type'),
      body,
    })
    try {
      if (row.id === this.#poison) throw new Error('an earlier attempt ended the analysis thread')
      const raw = row.upload === null ? asBuffer(row.body) : readBody(this.#source, row)
      const body = decodeBody(raw, codingsOf(headers))
      const hashed = 'bytes' in body ? body.bytes : raw
      const hash = digest('sha256', hashed, 'buffer').subarray(0, HASH_BYTES)
      return { analysis: this.#analyse(judged(body), teaches ? see : undefined), hash }
    } catch (error) {
      if (error instanceof Error && 'errcode' in error) throw error
      const reason = error instanceof Error ? error.message : String(error)
      return { analysis: this.#analyse(judged({ undecodable: { coding: '', reason } })), hash: null }
    }
  }

  #marks(
    row: CapturedRow,
    replay: boolean,
    hash: Buffer | null,
    documentKey: string | null,
    instant: number | null,
  ): number {
    const duplicate =
      hash !== null &&
      this.#target
        .get('SELECT 1 FROM analysis WHERE body_hash = ? AND endpoint = ? AND delivery_id < ? LIMIT 1')
        .get(hash, row.endpoint, row.id) !== undefined
    const late = instant !== null && row.receivedAt - instant > LATE_US
    const outOfOrder =
      instant !== null &&
      documentKey !== null &&
      this.#target
        .get('SELECT 1 FROM analysis WHERE document_key = ? AND instant > ? AND delivery_id < ? LIMIT 1')
        .get(documentKey, instant, row.id) !== undefined
    return (
      (duplicate ? MARK_BITS.duplicate : 0) |
      (late ? MARK_BITS.late : 0) |
      (outOfOrder ? MARK_BITS['out-of-order'] : 0) |
      (replay ? MARK_BITS.replay : 0)
    )
  }

  /** Follows deletions that happened while nobody could be told. */
  #sweep(): void {
    if (readProgress(this.#target, 'deletions') === this.#deletions()) return
    const known = new Set(
      this.#source
        .get('SELECT id FROM delivery')
        .all()
        .map((row) => Number(row.id)),
    )
    const gone = this.#target
      .get('SELECT delivery_id AS id FROM analysis')
      .all()
      .map((row) => Number(row.id))
      .filter((id) => !known.has(id))
    for (let at = 0; at < gone.length; at += ROWS)
      this.#write(() => {
        for (const id of gone.slice(at, at + ROWS)) this.#forgetOne(id)
      })
    writeProgress(this.#target, 'deletions', this.#deletions())
  }

  #forgetOne(id: number): void {
    this.#rollup.forget(id)
    this.#list.forget(id)
    this.#target.get('DELETE FROM analysis WHERE delivery_id = ?').run(id)
    this.#target.get('DELETE FROM findings WHERE delivery_id = ?').run(id)
    this.#target.get('DELETE FROM search WHERE rowid = ?').run(id)
    this.#documents.forget(id)
  }

  #deletions(): number {
    return Number(this.#source.get("SELECT value FROM meta WHERE key = 'deletions'").get()?.value ?? 0)
  }
}

function headerValue(headers: readonly string[], name: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (headers[i]?.toLowerCase() === name) return headers[i + 1] ?? null
  return null
}

/** A-Z only: toLowerCase would also fold letters that the filter language keeps apart. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
