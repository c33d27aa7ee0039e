import { rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { DATABASE_SUFFIXES } from '../files.ts'

/** Tells one file from every other, whatever its name, for as long as it is open; null when nothing has the name. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : null
}

/**
 * The files of an open database, as they were when it was opened. Another program can remove or replace them, and SQLite goes on writing
 * into files that have no name any more.
 */
export class OpenFiles {
  readonly #path: string
  readonly #identities: readonly (string | null)[]

  /** @param path of a database that has just been opened and read, so that its side files are there */
  constructor(path: string) {
    this.#path = path
    this.#identities = DATABASE_SUFFIXES.map((suffix) => identityOf(path + suffix))
  }

  /** Which file was removed or replaced, as a clause; null while all of them are the same. */
  moved(): string | null {
    for (const [index, suffix] of DATABASE_SUFFIXES.entries()) {
      const found = identityOf(this.#path + suffix)
      if (found === this.#identities[index]) continue
      const name = basename(this.#path) + suffix
      return `${name} was ${found === null ? 'removed' : 'replaced'} by another program`
    }
    return null
  }

  /** Removes side files that belong to the database that was moved: SQLite would read them as those of whatever has its name now. */
  removeSides(): void {
    for (const [index, suffix] of DATABASE_SUFFIXES.entries())
      if (suffix !== '' && identityOf(this.#path + suffix) === this.#identities[index])
        rmSync(this.#path + suffix, { force: true })
  }

  /** Whether the database itself is where it was, whatever became of its side files. */
  get inPlace(): boolean {
    return identityOf(this.#path) === this.#identities[0]
  }
}
