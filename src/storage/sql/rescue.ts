import { renameSync, rmSync } from 'node:fs'
import { backup, type DatabaseSync } from 'node:sqlite'
import { claimDatabase, DATABASE_SUFFIXES, syncFolder } from '../files.ts'
import { asidePath } from './open-own.ts'

/** Pages copied at a time; other work of the thread comes in between. */
const PAGES_AT_ONCE = 512

/**
 * Copies an open database whose file has no name any more. The copy has the name of one set aside until `placeDatabase`: should the
 * process end in between, it is found and offered for salvage.
 * @param path where it was
 * @returns the path of the copy
 * @throws SQLite's or the file system's error; no copy is left then
 */
export async function copyDatabase(db: DatabaseSync, path: string): Promise<string> {
  const copy = asidePath(path, Date.now()).path
  try {
    claimDatabase(copy)
    await backup(db, copy, { rate: PAGES_AT_ONCE })
    return copy
  } catch (error) {
    for (const suffix of [...DATABASE_SUFFIXES, '-journal']) rmSync(copy + suffix, { force: true })
    throw error
  }
}

/** Gives a copy the name of the database, which nothing has by then. */
export function placeDatabase(copy: string, path: string): void {
  renameSync(copy, path)
  syncFolder(path)
}

/**
 * Moves what lies in the log into the database, whose side files have no name any more.
 * @throws Error while a reader keeps it from being complete
 */
export function foldLog(db: DatabaseSync): void {
  if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0)
    throw new Error('another connection reads the database')
}
