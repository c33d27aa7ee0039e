import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AcuseError, messageOf } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import { syncFolder } from '#log/disk.ts'

/** SQLite keeps a database in three files; whatever happens to one must happen to all of them. */
export const DATABASE_SUFFIXES = ['', '-wal', '-shm'] as const

/** People find these files, so the names are words. */
export const storeFiles = (folder: string) => ({
  folder,
  captured: join(folder, 'captured.db'),
  derived: join(folder, 'derived.db'),
  replays: join(folder, 'replays.db'),
  sweeps: join(folder, 'sweeps.db'),
  log: join(folder, 'log'),
  attempts: join(folder, 'attempts'),
  lock: join(folder, 'lock.db'),
  incidents: join(folder, 'incidents.json'),
  reservedIds: join(folder, 'reserved-ids'),
})
export type StoreFiles = Readonly<ReturnType<typeof storeFiles>>

/** Makes the folder this user's alone, whatever the umask was. @throws AcuseError `store-failed` when it cannot be used */
export function claimFolder(folder: string): void {
  const fail = (why: string) =>
    new AcuseError('store-failed', `The data folder ${folder} cannot be used: ${why}.`, { folder })
  try {
    const found = statSync(folder)
    if (!found.isDirectory()) throw fail('it is not a folder')
    // Files of another user could be read or swapped by that user, however tight their modes are.
    if (process.getuid && found.uid !== process.getuid()) throw fail('it belongs to another user')
    if (process.platform !== 'win32' && (found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700)
  } catch (error) {
    throw error instanceof AcuseError ? error : fail(words(error))
  }
}

/**
 * Makes a database that does not exist yet, and gives it and its side files to this user alone. Never opens a file that exists: closing it
 * would release every lock of SQLite's connections in this process (sqlite.org/howtocorrupt.html, 2.2). @throws Error for no ordinary file
 */
export function claimDatabase(path: string): void {
  for (const suffix of DATABASE_SUFFIXES) {
    const kind = kindOf(path + suffix)
    if (kind === 'nothing' && suffix === '') createPrivate(path)
    else if (kind !== 'nothing') makePrivate(path + suffix)
  }
}

/** Gives a file to this user alone, by its path. @throws Error when it is no ordinary file; the file system's error */
export function makePrivate(path: string): void {
  demandOrdinary(path)
  if (process.platform !== 'win32' && (statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600)
}

/** Opening a pipe waits for its other end, and a device may never end: both would stop the thread. @throws Error for no file of its own */
export function demandOrdinary(path: string): void {
  const kind = kindOf(path)
  if (kind === 'link') throw new Error(`${path} is a symbolic link; take it away`)
  if (kind === 'other') throw new Error(`${path} is no ordinary file; take it away`)
}

function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another Acuse made it between the two looks; who may use it is decided by its locks.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** What a small file of ours holds. @throws Error when it is no ordinary file; the file system's error */
export function readBytes(path: string): Buffer {
  demandOrdinary(path)
  return readFileSync(path)
}

/** @throws as `readBytes` */
export function readSmall(path: string): string {
  return readBytes(path).toString()
}

/** Replaces a small file's content so that a crash leaves the old or the new one whole, readable by this user alone. */
export function replaceFile(path: string, content: string): void {
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  const fd = openSync(draft, 'wx', 0o600)
  try {
    writeSync(fd, content)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  chmodSync(draft, 0o600)
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/** Makes something of what is open, which is closed where that fails. */
export function closedOnFailure<O extends { close(): void }, T>(open: O, make: (open: O) => T): T {
  try {
    return make(open)
  } catch (error) {
    open.close()
    throw error
  }
}

/** The whole number that a small file holds; 0 where it is lost or holds none, which callers take for "nothing promised yet". */
export function numberIn(path: string): number {
  try {
    const found = Number.parseInt(readSmall(path), 10)
    return Number.isSafeInteger(found) && found > 0 ? found : 0
  } catch {
    return 0
  }
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** What lies at a path without following a link. */
export function kindOf(path: string): 'nothing' | 'file' | 'link' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 'nothing'
  if (found.isSymbolicLink()) return 'link'
  return found.isFile() ? 'file' : 'other'
}

/** A sentence for something thrown, without a full stop: our own for what the file system says, SQLite's own words. */
export function words(error: unknown): string {
  return error instanceof Error && 'syscall' in error ? fileTrouble(error, 'written') : messageOf(error)
}

/** Tells one file from every other, whatever its name, for as long as it is open; null when nothing has the name. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : null
}

/** The files of an open database as they were: another program can replace them, and SQLite goes on writing into files without a name. */
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

/** What a failed statement says of the database. `unavailable` passes, or is the person's to mend; `row`: only this data is at fault. */
export type Failure = 'damage' | 'unavailable' | 'row'

export const DAMAGE = { CORRUPT: 11, NOTADB: 26 }
export const BUSY = 5
const UNAVAILABLE = {
  BUSY,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
}

/** SQLite's primary result code (the low byte of the extended one); undefined when SQLite did not throw it. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

/** Busy or unreadable is not damage: setting a sound database aside because another program holds a lock would hide everything in it. */
export function failureOf(error: unknown): Failure {
  const code = resultCode(error)
  if (code === DAMAGE.CORRUPT || code === DAMAGE.NOTADB) return 'damage'
  if (code !== undefined && Object.values(UNAVAILABLE).includes(code)) return 'unavailable'
  // A file system error has no SQLite code but a system one, such as EACCES or EROFS.
  if (code === undefined && error instanceof Error && 'syscall' in error) return 'unavailable'
  return 'row'
}

/** Another program, or another connection, holds a lock on it. */
export function isLocked(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === UNAVAILABLE.LOCKED
}

/** The disk, or what the user may take of it, is full. SQLite calls a sync or a log that finds no room an I/O error. */
export function isFull(error: unknown): boolean {
  const code = resultCode(error)
  if (code === UNAVAILABLE.FULL || code === UNAVAILABLE.IOERR) return true
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return true
  return error.cause !== undefined && isFull(error.cause)
}
