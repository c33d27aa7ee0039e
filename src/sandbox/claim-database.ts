import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'

/**
 * Makes a database that does not exist yet, and gives it and its side files to this user alone: SQLite would make it readable for
 * everybody. Never opens a file that exists, since closing it would release every lock that SQLite holds on it in this process
 * (sqlite.org/howtocorrupt.html, 2.2).
 * @throws Error when something else than a file has the name; the file system's error
 */
export function claimDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const found = lstatSync(path + suffix, { throwIfNoEntry: false })
    if (found && !found.isFile() && !found.isSymbolicLink())
      throw new Error(`${path}${suffix} is no ordinary file; take it away`)
    if (found) chmodSync(path + suffix, 0o600)
    else if (suffix === '') closeSync(openSync(path, 'wx', 0o600))
  }
}
