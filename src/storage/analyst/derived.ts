import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ANALYSIS_VERSION } from '#core/checks/analysis.ts'
import { claimDatabase, DATABASE_SUFFIXES, sizeOf } from '../files.ts'
import { DERIVED_MIGRATIONS } from '../migrations/derived/all.ts'
import { openForWriting, Statements } from '../sql/connection.ts'
import { migrate } from '../sql/migrate.ts'
import { readProgress, writeProgress } from './progress.ts'

/**
 * Opens derived.db. It lies apart from captured.db so that analysis never waits for, or holds, the lock that intake needs, and can
 * never lose a delivery: whatever is wrong with this file, or older than the checks, it is deleted and made again. What was reset
 * (`observed_from`) and which bodies are too expensive is carried over where it can still be read.
 * @param rebuild starts from nothing even when the file is sound
 */
export function openDerived(path: string, rebuild: boolean): DatabaseSync {
  let resets: readonly Reset[] = []
  let expensive: readonly number[] = []
  try {
    const db = openMigrated(path)
    const sound = !rebuild && readProgress(new Statements(db), 'analysis_version') === ANALYSIS_VERSION
    if (sound) return db
    try {
      resets = readResets(new Statements(db))
      expensive = db
        .prepare('SELECT delivery_id FROM too_expensive')
        .all()
        .map((row) => Number(row.delivery_id))
    } finally {
      db.close()
    }
  } catch {
    // Made again below; if that fails too, the reason is thrown from there.
  }
  removeDerived(path)
  const db = openMigrated(path)
  const statements = new Statements(db)
  writeProgress(statements, { analysis_version: ANALYSIS_VERSION })
  for (const { kind, learnsFrom } of resets) writeReset(statements, kind, learnsFrom)
  for (const id of expensive) statements.get('INSERT INTO too_expensive (delivery_id) VALUES (?)').run(id)
  return db
}

/** Somebody had what was observed of a kind forgotten: the one thing in this file that cannot be derived again. */
interface Reset {
  readonly kind: string
  /** Deliveries up to this one teach no more. */
  readonly learnsFrom: number
}

function readResets(statements: Statements): readonly Reset[] {
  const rows = statements.get('SELECT kind, learns_from FROM observed_from').all()
  return rows.map((row) => ({ kind: String(row.kind), learnsFrom: Number(row.learns_from) }))
}

export function writeReset(statements: Statements, kind: string, learnsFrom: number): void {
  statements
    .get(
      `INSERT INTO observed_from (kind, learns_from) VALUES (?, ?)
       ON CONFLICT (kind) DO UPDATE SET learns_from = excluded.learns_from`,
    )
    .run(kind, learnsFrom)
}

function openMigrated(path: string): DatabaseSync {
  claimDatabase(path)
  const db = openForWriting(path, 2_000, 24)
  try {
    migrate(db, path, DERIVED_MIGRATIONS)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function removeDerived(path: string): void {
  for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true, recursive: true })
}

/** Size of the write-ahead log that calls for a checkpoint. */
const DUE = 16 * 1024 * 1024

/** Nobody waits for this thread, so it may checkpoint in the open. */
export function checkpointDerived(db: DatabaseSync, path: string, pause: boolean): void {
  const size = sizeOf(`${path}-wal`)
  if (size < DUE && !(pause && size > 1024 * 1024)) return
  db.exec(`PRAGMA wal_checkpoint(${size > 3 * DUE || pause ? 'TRUNCATE' : 'PASSIVE'})`)
}
