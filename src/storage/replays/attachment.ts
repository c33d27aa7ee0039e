import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AcuseError } from '#contract/errors.ts'
import type { CapturedRequests, Ledger } from '#core/replay/ports.ts'
import { identityOf, words } from '../disk/files.ts'
import { Beside, MISSED } from '../reader/beside.ts'

/** Absolute paths, as `storeFiles` gives them. */
export interface CapturedPaths {
  readonly captured: string
  readonly derived: string
}

/** For whoever asks by filter: what a sweep missed is written down elsewhere. */
export interface FilteredPaths extends CapturedPaths {
  readonly sweeps: string
}

export interface LedgerOptions {
  readonly paths: FilteredPaths & { readonly replays: string }
  /** Takes a sentence for the person: replays.db was set aside. */
  readonly warn: (message: string) => void
  /** Milliseconds since the epoch; names what is set aside. */
  readonly now?: () => number
}

/**
 * What reads captured.db and derived.db. Both may be replaced while Acuse runs (an incident, a newer analysis): who uses them looks
 * for that by itself, but a file that is about to be renamed has to be let go of first, or Windows refuses.
 */
interface ReadsCaptured {
  /** Until `reopenCaptured` whatever needs them throws AcuseError `store-failed`. */
  releaseCaptured(): void
  /** Opens them anew, at other paths where those are given. Until then they are opened by the first call that needs them. */
  reopenCaptured(paths?: CapturedPaths): void
}

export interface LedgerOnDisk extends Ledger, ReadsCaptured {
  /** Puts what waits in the log into replays.db, where others read it. Cheap when nothing waits. */
  settle(): void
}

export interface CapturedRequestsOnDisk extends CapturedRequests, ReadsCaptured {
  close(): void
}

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
