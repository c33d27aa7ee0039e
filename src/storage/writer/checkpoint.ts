import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { PAGE_SIZE } from '../sql/connection.ts'

const frames = (mebibytes: number): number => (mebibytes * 1024 * 1024) / PAGE_SIZE

/** Length of the write-ahead log from which a checkpoint is worth its two syncs in the next pause. */
const WORTHWHILE = frames(1)
/** Length from which a checkpoint does not wait for a pause. Small steps keep the longest answer short; larger ones save little. */
const DUE = frames(4)
/** Growth between two further attempts while a reader prevents a reset of the log. */
const AGAIN = frames(4)
/** Length from which readers are asked to stop, so that the log can be reset: it must never exceed 64 MiB. */
const PRESSING = frames(40)

/** Decides when to checkpoint: checkpoints, not commits, cause the slowest answers. */
export class Checkpoints {
  readonly #progress: StatementSync
  readonly #move: StatementSync
  readonly #reset: StatementSync
  readonly #onPressure: () => void
  #tried = 0

  /** @param onPressure asks long reads to end */
  constructor(db: DatabaseSync, onPressure: () => void) {
    this.#progress = db.prepare('PRAGMA wal_checkpoint(NOOP)')
    this.#move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
    this.#reset = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#onPressure = onPressure
  }

  /** Call after each commit. @returns whether all commits are in the database file and synced @throws SQLite's error */
  afterCommit(): boolean {
    const log = length(this.#progress)
    // After a complete checkpoint, the next commit starts the log from its beginning.
    if (log < this.#tried) this.#tried = 0
    if (log < DUE || log - this.#tried < AGAIN) return false
    this.#tried = log
    const moved = isWhole(this.#move.get())
    if (log < PRESSING) return moved
    this.#onPressure()
    return isWhole(this.#reset.get()) || moved
  }

  /** Call in a pause. @returns like `afterCommit` @throws SQLite's error */
  idle(): boolean {
    if (length(this.#progress) < WORTHWHILE) return false
    const moved = isWhole(this.#move.get())
    const reset = this.#reset.get()
    if (reset?.busy === 1) this.#onPressure()
    return isWhole(reset) || moved
  }
}

/** Whether a checkpoint moved the whole log; then it has also synced the database. */
function isWhole(result: Record<string, unknown> | undefined): boolean {
  return result?.busy === 0 && Number(result.log) >= 0 && result.log === result.checkpointed
}

function length(progress: StatementSync): number {
  return Number(progress.get()?.log ?? 0)
}
