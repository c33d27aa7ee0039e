/**
 * What a failed statement says about the database. `damage`: the file is not what SQLite wrote. `unavailable`: it cannot be used now
 * (full, locked, read-only, I/O), which passes or is the person's to mend. `row`: only the data of this statement is at fault.
 */
export type Failure = 'damage' | 'unavailable' | 'row'

const SQLITE = { BUSY: 5, LOCKED: 6, NOMEM: 7, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14 }
const PROTOCOL = 15
const NOTADB = 26
const UNAVAILABLE: ReadonlySet<number> = new Set([
  SQLITE.BUSY,
  SQLITE.LOCKED,
  SQLITE.NOMEM,
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
  PROTOCOL,
])

/** SQLite's primary result code (the low byte of the extended one); undefined when SQLite did not throw it. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

/** Busy or unreadable is not damage: setting a sound database aside because somebody holds a lock would hide everything in it. */
export function failureOf(error: unknown): Failure {
  const code = resultCode(error)
  if (code === SQLITE.CORRUPT || code === NOTADB) return 'damage'
  if (code !== undefined && UNAVAILABLE.has(code)) return 'unavailable'
  // A file system error has no SQLite code but a system one, such as EACCES or EROFS.
  if (code === undefined && error instanceof Error && 'syscall' in error) return 'unavailable'
  return 'row'
}

/** Another program, or another connection, holds a lock on it. */
export function isLocked(error: unknown): boolean {
  const code = resultCode(error)
  return code === SQLITE.BUSY || code === SQLITE.LOCKED
}

/** The disk, or what the user may take of it, is full. SQLite calls a sync or a log that finds no room an I/O error. */
export function isFull(error: unknown): boolean {
  const code = resultCode(error)
  if (code === SQLITE.FULL || code === SQLITE.IOERR) return true
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return true
  return error.cause !== undefined && isFull(error.cause)
}
