import { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { ensurePrivateFile, words } from './files.ts'
import { resultCode } from './sql/failure.ts'

const BUSY = 5

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
    let db: DatabaseSync | undefined
    try {
      ensurePrivateFile(path)
      db = new DatabaseSync(path, { timeout: 0 })
      db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
      return new FolderLock(db)
    } catch (error) {
      db?.close()
      if (resultCode(error) === BUSY)
        throw new AcuseError('in-use', `Another Acuse is using the data folder ${folder}.`, { folder })
      throw new AcuseError('store-failed', `The data folder ${folder} cannot be written: ${words(error)}.`, {
        folder,
      })
    }
  }

  release(): void {
    if (this.#db.isOpen) this.#db.close()
  }
}
