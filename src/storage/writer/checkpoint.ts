import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PAGE_SIZE } from '../sql/connection.ts'

const frames = (mebibytes: number): number => (mebibytes * 1024 * 1024) / PAGE_SIZE

/** From here on a checkpoint is worth its two syncs in the next pause. */
const WORTHWHILE = frames(1)
/** From here on it does not wait for a pause. Small steps keep the longest answer short; larger ones would save little. */
const DUE = frames(4)
/** Steps between further attempts while a reader holds the log open. */
const AGAIN = frames(4)
/** From here on readers are asked to stop, so that the log starts over: it must never pass 64 MiB. */
const PRESSING = frames(40)

/** Decides when what lies in the write-ahead log moves into the database: this, not the commits, makes the slowest answers. */
export class Checkpoints {
  readonly #look: StatementSync
  readonly #move: StatementSync
  readonly #reset: StatementSync
  readonly #onPressure: () => void
  #tried = 0

  /** @param onPressure asks long readers to close the log */
  constructor(db: DatabaseSync, onPressure: () => void) {
    this.#look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
    this.#move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
    this.#reset = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#onPressure = onPressure
  }

  /** Call after each commit. @returns whether everything committed is in the database, and synced @throws SQLite's error */
  afterCommit(): boolean {
    const log = length(this.#look)
    // A log that was moved completely starts over at the next commit.
    if (log < this.#tried) this.#tried = 0
    if (log < DUE || log - this.#tried < AGAIN) return false
    this.#tried = log
    const moved = isWhole(this.#move.get())
    if (log < PRESSING) return moved
    this.#onPressure()
    return isWhole(this.#reset.get()) || moved
  }

  /** Call in a pause. @returns as `afterCommit` @throws SQLite's error */
  idle(): boolean {
    if (length(this.#look) < WORTHWHILE) return false
    const moved = isWhole(this.#move.get())
    const reset = this.#reset.get()
    if (reset?.busy === 1) this.#onPressure()
    return isWhole(reset) || moved
  }
}

/** A checkpoint that moved all of the log has synced the database behind it. */
function isWhole(result: Record<string, unknown> | undefined): boolean {
  return result?.busy === 0 && Number(result.log) >= 0 && result.log === result.checkpointed
}

function length(look: StatementSync): number {
  return Number(look.get()?.log ?? 0)
}
