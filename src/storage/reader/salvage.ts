import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { MALFORMED } from '#contract/delivery.ts'
import { asBuffer } from '../body/stored-body.ts'
import { measure, unpackHeaders, writeRecord } from '../wire/record.ts'
import type { Said, SavedRow } from '../writer/protocol.ts'
import { giveFirstPage } from './first-page.ts'

/** What one step brought back: deliveries as records under their old ids, and pieces of large bodies, which go in first. */
export interface SalvageStep {
  readonly rows: readonly SavedRow[]
  readonly chunks: readonly { readonly upload: string; readonly seq: number; readonly bytes: Uint8Array }[]
}

const ROWS = 200
/** A step ends early when it holds so much: bodies may be large, and all of it crosses to another thread. */
const STEP_BYTES = 16 * 1024 * 1024
/** The longest stretch of ids skipped at once behind a damaged page. */
const LONGEST_SKIP = 4_096

const DELIVERY = 'SELECT * FROM delivery WHERE id >= ? ORDER BY id LIMIT ?'
const PAYLOAD = 'SELECT headers, trailers, body FROM payload WHERE delivery_id = ?'
const ANSWER = 'SELECT headers, body FROM answer WHERE id = ?'
const CHUNKS = 'SELECT seq, bytes FROM chunk WHERE upload = ? ORDER BY seq'

/**
 * Reads what can be read of a damaged database, from a copy, so that what was set aside stays as it was found. Goes by ranges of ids
 * around the damage: SQLite fails on a bad page, not on the rows beside it.
 */
export class Salvage {
  readonly #copy: string
  readonly #db: DatabaseSync
  readonly #last: number
  #next = 1
  #skip = 1

  /** @throws SQLite's error when not even the schema can be read */
  constructor(damaged: string) {
    this.#copy = `${damaged}.salvage`
    copy(damaged, this.#copy)
    this.#db = openCopy(this.#copy)
    this.#last = this.#highest()
    this.#next = this.#lowest()
  }

  step(): SalvageStep {
    const rows: SalvageStep['rows'][number][] = []
    const chunks: SalvageStep['chunks'][number][] = []
    let bytes = 0
    while (rows.length === 0 && this.#next <= this.#last) {
      for (const found of this.#read()) {
        const id = Number(found.id)
        const saved = this.#record(found)
        if (!saved) continue
        const answeredBy = typeof found.answered_by === 'string' ? found.answered_by : null
        rows.push({ id, record: saved.record, answeredBy, said: this.#said(id) })
        chunks.push(...saved.chunks)
        bytes += Number(found.stored_bytes)
        if (bytes < STEP_BYTES) continue
        this.#next = id + 1
        break
      }
    }
    return { rows, chunks }
  }

  close(): void {
    this.#db.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#copy + suffix, { force: true })
  }

  /** The next readable rows; moves on behind them, or beyond what cannot be read. */
  #read(): Readonly<Record<string, unknown>>[] {
    const limit = this.#skip === 1 ? ROWS : 1
    try {
      const found = this.#statement(DELIVERY).all(this.#next, limit)
      const last = found.at(-1)
      this.#next = last ? Number(last.id) + 1 : this.#last + 1
      this.#skip = 1
      return found
    } catch {
      if (limit > 1) {
        const single = this.#single()
        if (single) return [single]
      }
      this.#next += this.#skip
      this.#skip = Math.min(LONGEST_SKIP, this.#skip * 2)
      return []
    }
  }

  #single(): Readonly<Record<string, unknown>> | undefined {
    try {
      const found = this.#statement('SELECT * FROM delivery WHERE id = ?').get(this.#next)
      this.#next += 1
      return found
    } catch {
      return undefined
    }
  }

  #record(row: Readonly<Record<string, unknown>>) {
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

  #highest(): number {
    try {
      return Number(this.#statement('SELECT max(id) AS id FROM delivery').get()?.id ?? 0)
    } catch {
      // The right edge of the table is damaged: go on until nothing has come for a long while.
      return this.#lowest() + 10_000_000
    }
  }

  #lowest(): number {
    try {
      return Number(this.#statement('SELECT min(id) AS id FROM delivery').get()?.id ?? 1)
    } catch {
      return 1
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
