import { setPriority } from 'node:os'
import type { Verification } from '#contract/status.ts'
import { ownFileTrouble } from '#core/file-trouble.ts'
import type { LogReading } from '#core/ports.ts'
import { logIn } from '#log/reader.ts'
import { expose } from '#threads/expose.ts'
import { isSound } from '../body/stored-body.ts'
import { failureOf, words } from '../disk/files.ts'
import { openForReading, raw, type SqlRow, Statements } from '../sql/connection.ts'

const LOWEST = 19
/** Limits of a step: a long read would delay a checkpoint. */
const ROWS = 100
const PIECES = 8
const LOG_BYTES = 4 * 1024 * 1024

// Without a listener, this signal makes Node open its inspector to every user of the machine.
process.on('SIGUSR1', () => {})

/** The folder of a log, and its last position on the disk. */
export interface LogEnd {
  readonly folder: string
  readonly upTo: number
}

type Sum = { -readonly [K in keyof Verification]: Verification[K] }

function* proveDatabase(sum: Sum, db: Statements): Generator<Verification> {
  const add = (rows: readonly SqlRow[]): Verification => {
    sum.checked += rows.length
    sum.unproved += rows.filter(({ crc }) => crc === null).length
    const altered = rows.filter((row) => isSound(Number(row.id), row) === false).map(({ id }) => Number(id))
    sum.altered = [...new Set([...sum.altered, ...altered])]
    return sum
  }
  for (const table of [raw('delivery'), raw('trashed')])
    for (let rows: readonly SqlRow[] = [{ id: 0 }]; rows.length > 0; yield add(rows))
      rows = db.all`SELECT d.id, headers, trailers, body, crc FROM ${table} d LEFT JOIN payload ON delivery_id = d.id
        WHERE d.id > ${Number(rows.at(-1)?.id)} ORDER BY d.id LIMIT ${ROWS}`
  // A chunk without a delivery belongs to a body that is still arriving.
  for (let rows: readonly SqlRow[] = [{ piece: 0 }]; rows.length > 0; yield add(rows))
    rows = db.all`SELECT c.id AS piece, coalesce(d.id, t.id, 0) AS id, c.upload, c.seq, c.bytes AS body, c.crc FROM chunk c
      LEFT JOIN delivery d ON d.upload = c.upload LEFT JOIN trashed t ON t.upload = c.upload
      WHERE c.id > ${Number(rows.at(-1)?.piece)} ORDER BY c.id LIMIT ${PIECES}`
}

/** @throws AcuseError `store-failed` when a segment cannot be read */
function* proveLog(sum: Sum, folder: string, upTo: number): Generator<Verification> {
  let reader: LogReading | undefined
  try {
    const log = logIn(folder)
    reader = log.read((log.oldest() ?? upTo + 1) - 1)
    for (let position = 0; position < upTo; yield sum) {
      const slice = reader.next(upTo, LOG_BYTES)
      position = slice.position
      sum.records += slice.entries.length
      // Segments that the log has reused meanwhile are filed, so gaps there do not count.
      const oldest = log.oldest() ?? upTo
      for (const { from, to } of slice.gaps) if (to >= oldest) sum.damaged = [...sum.damaged, [from, to]]
    }
  } catch (error) {
    throw ownFileTrouble(`The log in ${folder}`, 'read', error)
  } finally {
    reader?.close()
  }
}

// Runs as a process, which can be killed: nothing can interrupt a statement within a thread, and this one reads the whole file.
const handlers = {
  /** Checks the whole file. @returns the damage found; null when there is none, or when the file cannot be read at the moment */
  check(path: string, background: boolean): string | null {
    if (background) setPriority(LOWEST)
    try {
      using db = openForReading(path)
      const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
      return found === 'ok' || found === undefined ? null : String(found)
    } catch (error) {
      return failureOf(error) === 'damage' ? words(error) : null
    }
  },
  /**
   * Compares stored bytes with their checksums, step by step. @param log the log to check first; null: check the database only, at the
   * lowest priority @returns the result so far, after every step @throws SQLite's error
   */
  *prove(path: string, log: LogEnd | null): Generator<Verification> {
    const sum: Sum = { database: null, checked: 0, unproved: 0, altered: [], records: 0, damaged: [] }
    yield sum
    if (log) yield* proveLog(sum, log.folder, log.upTo)
    else setPriority(LOWEST)
    using db = openForReading(path)
    yield* proveDatabase(sum, new Statements(db))
  },
}

export type CheckHandlers = typeof handlers
expose(handlers)
