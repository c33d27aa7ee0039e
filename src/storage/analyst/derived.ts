import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { claimDatabase, DATABASE_SUFFIXES, sizeOf } from '../disk/files.ts'
import { DERIVED_SCHEMA, DERIVED_VERSION } from '../schema/derived.ts'
import { inTransaction, openForWriting, pragmaOf, Statements } from '../sql/connection.ts'
import { readProgress } from '../sql/numbers.ts'

/**
 * Opens derived.db, apart from captured.db so that analysis never holds the lock that intake needs. One that is damaged, older or newer is
 * made again. Two things are carried over: the user's resets (`observed_from`), and which bodies are too expensive.
 */
export function openDerived(path: string, rebuild: boolean): DatabaseSync {
  let resets: readonly Reset[] = []
  let expensive: readonly number[] = []
  try {
    const db = connect(path)
    try {
      const statements = new Statements(db)
      if (!rebuild && pragmaOf(db, 'user_version') === DERIVED_VERSION) {
        // Throws where the tables are not those of the version.
        readProgress(statements, 'analysed_upto')
        return db
      }
      resets = readResets(statements)
      expensive = readExpensive(statements)
    } catch (error) {
      db.close()
      throw error
    }
    db.close()
  } catch {
    // Made again below; if that fails too, the reason is thrown from there.
  }
  removeDerived(path)
  const db = connect(path)
  try {
    inTransaction(db, () => {
      db.exec(DERIVED_SCHEMA)
      const statements = new Statements(db)
      for (const { kind, learnsFrom } of resets) writeReset(statements, kind, learnsFrom)
      for (const id of expensive) statements.run`INSERT INTO too_expensive (delivery_id) VALUES (${id})`
      db.exec(`PRAGMA user_version=${DERIVED_VERSION}`)
    })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Empty where a file of another version lacks the table. */
function rowsOf(statements: Statements, sql: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    return statements.get(sql).all()
  } catch {
    return []
  }
}

const readExpensive = (statements: Statements): readonly number[] =>
  rowsOf(statements, 'SELECT delivery_id FROM too_expensive').map((row) => Number(row.delivery_id))

/** The user had what was observed of a kind forgotten: the one thing in this file that cannot be derived again. */
interface Reset {
  readonly kind: string
  /** Deliveries up to this one teach no more. */
  readonly learnsFrom: number
}

const readResets = (statements: Statements): readonly Reset[] =>
  rowsOf(statements, 'SELECT kind, learns_from FROM observed_from').map((row) => ({
    kind: String(row.kind),
    learnsFrom: Number(row.learns_from),
  }))

export function writeReset(statements: Statements, kind: string, learnsFrom: number): void {
  statements.run`INSERT INTO observed_from (kind, learns_from) VALUES (${kind}, ${learnsFrom})
       ON CONFLICT (kind) DO UPDATE SET learns_from = excluded.learns_from`
}

function connect(path: string): DatabaseSync {
  claimDatabase(path)
  return openForWriting(path, 2_000, 24)
}

function removeDerived(path: string): void {
  for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true, recursive: true })
}

/** Size of the write-ahead log that calls for a checkpoint. */
const DUE = 16 * 1024 * 1024

/** No delivery waits for this thread, so it may checkpoint in the open. */
export function checkpointDerived(db: DatabaseSync, path: string, pause: boolean): void {
  const size = sizeOf(`${path}-wal`)
  if (size < DUE && !(pause && size > 1024 * 1024)) return
  db.exec(`PRAGMA wal_checkpoint(${size > 3 * DUE || pause ? 'TRUNCATE' : 'PASSIVE'})`)
}
