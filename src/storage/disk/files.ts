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
import { AcuseError, messageOf, refused } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import { syncFolder } from '#log/disk.ts'

/** The three files of a SQLite database: move or delete them only together. */
export const DATABASE_SUFFIXES = ['', '-wal', '-shm'] as const

/** Users see these files, so the names are words. */
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

/** Makes the folder private to this user, whatever the umask was. @throws AcuseError `store-failed` when it cannot be used */
export function claimFolder(folder: string): void {
  const fail = (why: string) =>
    new AcuseError('store-failed', `The data folder ${folder} cannot be used: ${why}.`, { folder })
  try {
    const found = statSync(folder)
    if (!found.isDirectory()) throw fail('it is not a folder')
    // The owner of a folder can read or swap its files, whatever their modes.
    if (process.getuid && found.uid !== process.getuid()) throw fail('it belongs to another user')
    if (process.platform !== 'win32' && (found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700)
  } catch (error) {
    throw error instanceof AcuseError ? error : fail(words(error))
  }
}

/**
 * Creates a missing database, and makes it and its side files private to this user. It never opens an existing file: closing it
 * would release every lock of SQLite's connections in this process (sqlite.org/howtocorrupt.html, 2.2). @throws Error for no ordinary file
 */
export function claimDatabase(path: string): void {
  for (const suffix of DATABASE_SUFFIXES) {
    const kind = kindOf(path + suffix)
    if (kind === 'nothing' && suffix === '') createPrivate(path)
    else if (kind !== 'nothing') makePrivate(path + suffix)
  }
}

/** Makes a file private to this user, by its path. @throws Error when it is no ordinary file; the file system's error */
export function makePrivate(path: string): void {
  demandOrdinary(path)
  if (process.platform !== 'win32' && (statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600)
}

/** Opening a pipe waits for its other end, and a device may never end: both would block the thread. @throws Error for no ordinary file */
export function demandOrdinary(path: string): void {
  const kind = kindOf(path)
  if (kind === 'link') throw new Error(`${path} is a symbolic link; remove it`)
  if (kind === 'other') throw new Error(`${path} is not a regular file; remove it`)
}

function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process created the file meanwhile; locks decide which one may use it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Reads a small file of Acuse. @throws Error when it is no ordinary file; the file system's error */
export function readBytes(path: string): Buffer {
  demandOrdinary(path)
  return readFileSync(path)
}

/** @throws as `readBytes` */
export function readSmall(path: string): string {
  return readBytes(path).toString()
}

/** Replaces a small file's content atomically: a crash leaves the old or the new content. The file is private to this user. */
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

/** Runs `make`, and closes `open` when it throws. */
export function closedOnFailure<O extends { close(): void }, T>(open: O, make: (open: O) => T): T {
  try {
    return make(open)
  } catch (error) {
    open.close()
    throw error
  }
}

/** The positive integer in a small file; 0 when the file is missing or has none. */
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

/** The type of file at a path; does not follow links. */
export function kindOf(path: string): 'nothing' | 'file' | 'link' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 'nothing'
  if (found.isSymbolicLink()) return 'link'
  return found.isFile() ? 'file' : 'other'
}

/** A sentence for an error, without a full stop: ours for file system errors, SQLite's for its own. */
export function words(error: unknown): string {
  return error instanceof Error && 'syscall' in error ? fileTrouble(error, 'written') : messageOf(error)
}

/** Identifies a file independently of its name, while it is open; null when the path does not exist. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : null
}

/** Detects that another program replaced the files of an open database: SQLite would continue to write into unlinked files. */
export class OpenFiles {
  readonly #path: string
  readonly #identities: readonly (string | null)[]

  /** @param path of a database that has just been opened and read, so that its side files exist */
  constructor(path: string) {
    this.#path = path
    this.#identities = DATABASE_SUFFIXES.map((suffix) => identityOf(path + suffix))
  }

  /** A clause about the first removed or replaced file; null while all are unchanged. */
  moved(): string | null {
    for (const [index, suffix] of DATABASE_SUFFIXES.entries()) {
      const found = identityOf(this.#path + suffix)
      if (found === this.#identities[index]) continue
      const name = basename(this.#path) + suffix
      return `${name} was ${found === null ? 'removed' : 'replaced'} by another program`
    }
    return null
  }

  /** Removes the side files of the moved database: SQLite would use them for the new file of that name. */
  removeSides(): void {
    for (const [index, suffix] of DATABASE_SUFFIXES.entries())
      if (suffix !== '' && identityOf(this.#path + suffix) === this.#identities[index])
        rmSync(this.#path + suffix, { force: true })
  }

  /** Whether the main file is unchanged; ignores side files. */
  get inPlace(): boolean {
    return identityOf(this.#path) === this.#identities[0]
  }
}

/** Class of a failed statement. `unavailable`: it may pass, or the user can mend it; `row`: only this data is at fault. */
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

/** A lock or a read error is not damage: setting a sound database aside for it would hide all its deliveries. */
export function failureOf(error: unknown): Failure {
  const code = resultCode(error)
  if (code === DAMAGE.CORRUPT || code === DAMAGE.NOTADB) return 'damage'
  if (code !== undefined && Object.values(UNAVAILABLE).includes(code)) return 'unavailable'
  // File system errors have a system code instead of SQLite's, such as EACCES or EROFS.
  if (code === undefined && error instanceof Error && 'syscall' in error) return 'unavailable'
  return 'row'
}

/** The error as a caller sees it: a sentence that says what to do, where SQLite's names neither the file nor a way out. */
export function told(error: unknown): unknown {
  if (failureOf(error) === 'damage')
    return refused('store-failed', 'database-damaged', { system: words(error) })
  return resultCode(error) === UNAVAILABLE.FULL ? refused('store-failed', 'disk-full') : error
}

/** Whether another program or connection holds a lock. */
export function isLocked(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === UNAVAILABLE.LOCKED
}

/** Whether the disk or the user's quota is full. SQLite reports a full disk as an I/O error when a sync or the write-ahead log meets it. */
export function isFull(error: unknown): boolean {
  const code = resultCode(error)
  if (code === UNAVAILABLE.FULL || code === UNAVAILABLE.IOERR) return true
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return true
  return error.cause !== undefined && isFull(error.cause)
}
