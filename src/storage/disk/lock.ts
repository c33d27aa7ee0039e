import { truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AcuseError, refused } from '#contract/errors.ts'
import { BUSY, claimDatabase, closedOnFailure, DAMAGE, identityOf, resultCode, words } from './files.ts'

/** Interval of the check whether another program removed the lock. */
const CHECK_MS = 1_000

/** Exclusive use of the data folder, by a system lock that even a kill -9 releases. @throws AcuseError `in-use`, `store-failed` */
export class FolderLock {
  readonly #path: string
  readonly #timer: NodeJS.Timeout
  #db: DatabaseSync
  /** The file that is locked. */
  #locked: string | null
  /** The file that had its name at the last check. */
  #seen: string | null

  private constructor(path: string) {
    this.#path = path
    this.#db = locked(path)
    this.#locked = identityOf(path)
    this.#seen = this.#locked
    this.#timer = setInterval(() => this.#keep(), CHECK_MS).unref()
  }

  static take(path: string, folder: string): FolderLock {
    try {
      return new FolderLock(path)
    } catch (error) {
      if (resultCode(error) === BUSY) throw refused('in-use', 'folder-in-use', { folder })
      throw new AcuseError('store-failed', `The data folder ${folder} cannot be locked: ${words(error)}.`, {
        folder,
      })
    }
  }

  release(): void {
    clearInterval(this.#timer)
    if (this.#db.isOpen) this.#db.close()
  }

  /** A removed lock file keeps no other Acuse out, so this locks the file that now has its name. */
  #keep(): void {
    const found = identityOf(this.#path)
    if (found === this.#seen) return
    this.#seen = found
    // As when a renamed folder gets its name again.
    if (found === this.#locked) return
    try {
      const db = locked(this.#path)
      this.#db.close()
      this.#db = db
      this.#locked = identityOf(this.#path)
      this.#seen = this.#locked
    } catch (error) {
      process.emitWarning(
        `${this.#path} was removed or replaced, and the data folder cannot be locked again (${words(error)}): another Acuse may use it now. End one of them.`,
        'AcuseWarning',
      )
    }
  }
}

/** The lock file has no content, so damaged content can be dropped. It is truncated in place, as another process may hold this file. */
function locked(path: string): DatabaseSync {
  claimDatabase(path)
  try {
    return exclusively(path)
  } catch (error) {
    if (resultCode(error) !== DAMAGE.NOTADB) throw error
    truncateSync(path)
    return exclusively(path)
  }
}

const exclusively = (path: string): DatabaseSync =>
  closedOnFailure(new DatabaseSync(path, { timeout: 0 }), (db) => {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    return db
  })
