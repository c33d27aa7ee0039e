import { rmSync } from 'node:fs'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { claimDatabase, closedOnFailure, DATABASE_SUFFIXES } from '../disk/files.ts'
import { DERIVED_SCHEMA, DERIVED_VERSION } from '../schema/derived.ts'
import { inTransaction, openForWriting, PAGE_SIZE, pragmaOf, Statements } from '../sql/connection.ts'
import { readProgress } from '../sql/numbers.ts'

/**
 * Opens derived.db. It is a separate file, so that analysis never holds the lock that intake needs. A file that is damaged, or of another
 * version, is made again. Two tables are carried over: the user's drift resets (`observed_from`), and the bodies that are too expensive.
 */
export function openDerived(path: string, rebuild: boolean): DatabaseSync {
  const carried = new Map<string, readonly Record<string, SQLOutputValue>[]>()
  try {
    const known = connect(path)
    const sound = closedOnFailure(known, () => {
      // Throws when the tables do not fit the version.
      if (!rebuild && pragmaOf(known, 'user_version') === DERIVED_VERSION)
        return readProgress(new Statements(known), 'analysed_upto') >= 0
      for (const [table, columns] of CARRIED) carried.set(table, rowsOf(known, table, columns))
      return false
    })
    if (sound) return known
    known.close()
  } catch {
    // The code below makes the file again, and throws when that fails too.
  }
  for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true, recursive: true })
  return closedOnFailure(connect(path), (db) => {
    inTransaction(db, () => {
      db.exec(`${DERIVED_SCHEMA}; PRAGMA user_version=${DERIVED_VERSION}`)
      const statements = new Statements(db)
      for (const [table, rows] of carried) for (const row of rows) statements.insert(`INTO ${table}`, row)
    })
    return db
  })
}

/** Tables that no analysis can make again: the user's drift resets, and the bodies that ended the thread. */
const CARRIED = [
  ['observed_from', 'kind, learns_from'],
  ['too_expensive', 'delivery_id'],
] as const

/** @returns no rows when a file of another version lacks the table */
function rowsOf(db: DatabaseSync, table: string, columns: string) {
  try {
    return db.prepare(`SELECT ${columns} FROM ${table}`).all()
  } catch {
    return []
  }
}

function connect(path: string): DatabaseSync {
  claimDatabase(path)
  return openForWriting(path, 2_000, 16)
}

/** Lengths of the write-ahead log in pages: when a checkpoint is due, and when it pays in a pause. */
const DUE = (16 * 1024 * 1024) / PAGE_SIZE
const WORTHWHILE = (1024 * 1024) / PAGE_SIZE

/**
 * No delivery waits for this thread, so a checkpoint may block it. The file keeps its size after a checkpoint, so its size says nothing.
 * @param pause no deliveries arrive at the moment
 */
export function checkpointDerived(statements: Statements, pause: boolean): void {
  const length = Number(statements.one`PRAGMA wal_checkpoint(NOOP)`?.log ?? 0)
  if (length < DUE && !(pause && length > WORTHWHILE)) return
  if (length > 3 * DUE || pause) statements.one`PRAGMA wal_checkpoint(TRUNCATE)`
  else statements.one`PRAGMA wal_checkpoint(PASSIVE)`
}
