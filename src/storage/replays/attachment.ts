import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AcuseError } from '#contract/errors.ts'
import { words } from '../files.ts'
import { Beside, MISSED } from '../reader/beside.ts'
import { identityOf } from '../sql/open-files.ts'
import type { CapturedPaths } from './types.ts'

/** How often the files are looked at: not for every delivery that is sent. */
const LOOK_MS = 200

/**
 * captured.db and derived.db beside another database, read-only: a connection that writes or checkpoints there would be a second one
 * (see `versionWarning`). Their tables are called by their plain names.
 */
export class Attachment {
  readonly #db: DatabaseSync
  #paths: CapturedPaths
  readonly #missed: Beside | null
  #identity: string | null = null
  /** Until `reopen`: a file that is about to be renamed must not be opened again meanwhile. */
  #held = false
  #lookedAt = 0
  #opened = 0

  /** @param sweeps sweeps.db, where filters are compiled and it is not the database itself */
  constructor(db: DatabaseSync, paths: CapturedPaths, sweeps: string | null = null) {
    this.#db = db
    this.#missed = sweeps === null ? null : new Beside(db, sweeps, MISSED)
    this.#paths = paths
  }

  /** How often they were opened anew: what was read before may have come from other files. */
  get opened(): number {
    return this.#opened
  }

  /**
   * Call before reading, outside of a transaction. Opens what is not open, and anew what has been replaced meanwhile: an open file goes
   * on showing what was deleted.
   * @throws AcuseError `store-failed` when they cannot be read now
   */
  ensure(): void {
    if (this.#held)
      throw new AcuseError(
        'store-failed',
        'The deliveries cannot be read: their database is being replaced.',
        {
          path: this.#paths.captured,
        },
      )
    this.#missed?.ensure()
    const now = performance.now()
    if (this.#identity !== null && now - this.#lookedAt < LOOK_MS) return
    try {
      const found = identity(this.#paths)
      this.#lookedAt = now
      if (found === this.#identity) return
      this.#detach()
      const attach = this.#db.prepare('ATTACH ? AS captured')
      attach.run(readOnly(this.#paths.captured))
      this.#db.prepare('ATTACH ? AS derived').run(readOnly(this.#paths.derived))
      // Fails here, not in the first query, when a file is not yet what it will be.
      this.#db.prepare('SELECT 1 FROM delivery, analysis, progress LIMIT 1').get()
      this.#identity = found
      this.#opened += 1
    } catch (error) {
      this.#detach()
      throw new AcuseError('store-failed', `The deliveries cannot be read: ${words(error)}.`, {
        path: this.#paths.captured,
      })
    }
  }

  /** Lets go of both files, and of what they become, until `reopen`. */
  hold(): void {
    this.#held = true
    this.#detach()
  }

  reopen(paths?: CapturedPaths): void {
    this.#detach()
    this.#held = false
    if (paths) this.#paths = paths
  }

  #detach(): void {
    this.#identity = null
    for (const { name } of this.#db.prepare('PRAGMA database_list').all())
      if (name === 'captured' || name === 'derived') this.#db.exec(`DETACH ${name}`)
  }
}

const readOnly = (path: string): string => `${pathToFileURL(path).href}?mode=ro`

/** @throws Error when one of them is not there */
function identity({ captured, derived }: CapturedPaths): string {
  const [first, second] = [identityOf(captured), identityOf(derived)]
  if (first === null || second === null) throw new Error('their files are not there')
  return `${first} ${second}`
}
