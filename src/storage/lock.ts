import { truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { claimDatabase, words } from './files.ts'
import { resultCode } from './sql/failure.ts'

const BUSY = 5
const NOT_A_DATABASE = 26

/**
 * Holds the data folder against a second Acuse, for as long as the process lives: the lock is the operating system's, taken by SQLite
 * on a file of its own, so a kill -9 releases it and no stale lock file can remain.
 * @throws AcuseError `in-use` when another process holds it, `store-failed` when the file cannot be locked
 */
export class FolderLock {
  readonly #db: DatabaseSync

  private constructor(db: DatabaseSync) {
    this.#db = db
  }

  static take(path: string, folder: string): FolderLock {
    try {
      return new FolderLock(locked(path))
    } catch (error) {
      if (resultCode(error) === BUSY)
        throw new AcuseError('in-use', `Another Acuse is using the data folder ${folder}.`, { folder })
      throw new AcuseError('store-failed', `The data folder ${folder} cannot be locked: ${words(error)}.`, {
        folder,
      })
    }
  }

  release(): void {
    if (this.#db.isOpen) this.#db.close()
  }
}

/**
 * Nothing is ever written into the lock, so whatever a damaged disk left there can go. In place: another process may hold this very
 * file, and SQLite says that it is busy before it says what is in it. No connection of this process holds the file by then.
 */
function locked(path: string): DatabaseSync {
  claimDatabase(path)
  try {
    return exclusively(path)
  } catch (error) {
    if (resultCode(error) !== NOT_A_DATABASE) throw error
    truncateSync(path)
    return exclusively(path)
  }
}

function exclusively(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
