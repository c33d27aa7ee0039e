import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { MALFORMED } from '#contract/delivery.ts'
import { asBuffer } from '../body/stored-body.ts'
import { measure, unpackHeaders, writeRecord } from '../wire/record.ts'
import type { Said, SavedRow, TrashedIn } from '../writer/protocol.ts'
import { type DamagedRow, DamagedTable } from './damaged-table.ts'
import { giveFirstPage } from './first-page.ts'

/** What one step brought back: deliveries as records under their old ids, and pieces of large bodies, which go in first. */
export interface SalvageStep {
  readonly rows: readonly SavedRow[]
  readonly chunks: readonly { readonly upload: string; readonly seq: number; readonly bytes: Uint8Array }[]
}

/** A step ends early when it holds so much: bodies may be large, and all of it crosses to another thread. */
const STEP_BYTES = 16 * 1024 * 1024

const PAYLOAD = 'SELECT headers, trailers, body FROM payload WHERE delivery_id = ?'
const ANSWER = 'SELECT headers, body FROM answer WHERE id = ?'
const CHUNKS = 'SELECT seq, bytes FROM chunk WHERE upload = ? ORDER BY seq'

/** Reads what can be read of a damaged database, the trash included, from a copy, so that what was set aside stays as it was found. */
export class Salvage {
  readonly #copy: string
  readonly #db: DatabaseSync
  readonly #deliveries: DamagedTable
  readonly #trashed: DamagedTable
  readonly #batches = new Map<number, TrashedIn>()

  /** @throws SQLite's error when not even the schema can be read */
  constructor(damaged: string) {
    this.#copy = `${damaged}.salvage`
    copy(damaged, this.#copy)
    this.#db = openCopy(this.#copy)
    this.#deliveries = new DamagedTable((sql) => this.#statement(sql), 'delivery')
    this.#trashed = new DamagedTable((sql) => this.#statement(sql), 'trashed')
  }

  /** The list first: what lies in both, since a page of one may have been mistaken for one of the other, belongs there. */
  step(): SalvageStep {
    const listed = this.#stepOf(this.#deliveries, () => null)
    if (listed.rows.length > 0) return listed
    return this.#stepOf(this.#trashed, (row) => this.#batch(row))
  }

  /** @param trashedIn undefined for a row that is none of its table */
  #stepOf(table: DamagedTable, trashedIn: (row: DamagedRow) => TrashedIn | null | undefined): SalvageStep {
    const rows: SalvageStep['rows'][number][] = []
    const chunks: SalvageStep['chunks'][number][] = []
    let bytes = 0
    while (rows.length === 0 && !table.ended) {
      for (const found of table.read()) {
        const id = Number(found.id)
        const trashed = trashedIn(found)
        const saved = trashed === undefined ? undefined : this.#record(found)
        if (trashed === undefined || !saved) continue
        const answeredBy = typeof found.answered_by === 'string' ? found.answered_by : null
        rows.push({ id, record: saved.record, answeredBy, said: this.#said(id), trashed })
        chunks.push(...saved.chunks)
        bytes += Number(found.stored_bytes)
        if (bytes < STEP_BYTES) continue
        table.goBehind(id)
        break
      }
    }
    return { rows, chunks }
  }

  close(): void {
    this.#db.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#copy + suffix, { force: true })
  }

  /** When and by what a row was deleted, as far as that can still be read. */
  #batch({ batch }: DamagedRow): TrashedIn | undefined {
    if (typeof batch !== 'number') return undefined
    const known = this.#batches.get(batch) ?? this.#batchOf(batch)
    this.#batches.set(batch, known)
    return known
  }

  #batchOf(batch: number): TrashedIn {
    try {
      const row = this.#statement('SELECT at, filter FROM trash_batch WHERE id = ?').get(batch)
      return {
        at: typeof row?.at === 'number' ? row.at : null,
        filter: typeof row?.filter === 'string' ? row.filter : null,
      }
    } catch {
      return { at: null, filter: null }
    }
  }

  #record(row: DamagedRow) {
    try {
      const payload = this.#statement(PAYLOAD).get(Number(row.id))
      if (!payload) return undefined
      const upload = typeof row.upload === 'string' ? row.upload : null
      const answer = row.answer_id === null ? undefined : this.#statement(ANSWER).get(Number(row.answer_id))
      const packed = measure({
        receivedAt: Number(row.received_at),
        receivingUs: Number(row.receiving_us),
        endpoint: String(row.endpoint),
        method: String(row.method),
        url: String(row.url),
        httpVersion: String(row.http_version),
        remoteAddress: String(row.remote_address),
        remotePort: Number(row.remote_port),
        headers: unpackHeaders(asBuffer(payload.headers)),
        trailers: unpackHeaders(asBuffer(payload.trailers)),
        body: upload === null ? asBuffer(payload.body) : { upload },
        bodySize: Number(row.size),
        answer: answer
          ? {
              status: Number(row.answer_status),
              headers: unpackHeaders(asBuffer(answer.headers)),
              body: asBuffer(answer.body),
            }
          : null,
        rejected: row.rejected === 1,
        malformed: MALFORMED.find((known) => known === row.malformed) ?? null,
        // A database of an older Acuse has no such column, and no such deliveries.
        synthetic: row.synthetic === 1,
      })
      const record = Buffer.alloc(packed.size)
      writeRecord(packed, record, 0)
      const pieces = upload === null ? [] : this.#statement(CHUNKS).all(upload)
      const chunks = pieces.map((piece) => ({
        upload: upload ?? '',
        seq: Number(piece.seq),
        bytes: asBuffer(piece.bytes),
      }))
      return { record, chunks }
    } catch {
      return undefined
    }
  }

  /** Pins, notes and tags have tables of their own: what of them can be read, and a database of an older Acuse may lack them. */
  #said(id: number): Said {
    const find = (sql: string) => {
      try {
        return this.#statement(sql).all(id)
      } catch {
        return []
      }
    }
    const [note] = find('SELECT text, at FROM note WHERE delivery_id = ?')
    return {
      pinned: find('SELECT 1 FROM pin WHERE delivery_id = ?').length > 0,
      note: note ? { text: String(note.text), at: Number(note.at) } : null,
      tags: find('SELECT tag FROM tag WHERE delivery_id = ?').map(({ tag }) => String(tag)),
    }
  }

  #statement(sql: string): StatementSync {
    return this.#db.prepare(sql)
  }
}

/** Opens what is left; where the first page is past reading, with a first page made anew. */
function openCopy(path: string): DatabaseSync {
  try {
    return openLenient(path)
  } catch {
    giveFirstPage(path)
    return openLenient(path)
  }
}

/** Without `writable_schema` SQLite refuses a file that is shorter than its header says. */
function openLenient(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { defensive: false })
  try {
    db.exec('PRAGMA writable_schema=ON')
    db.prepare('SELECT id FROM delivery LIMIT 0').all()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function copy(from: string, to: string): void {
  for (const suffix of ['', '-wal']) {
    rmSync(to + suffix, { force: true })
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
  }
}
