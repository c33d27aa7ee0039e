import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { claimDatabase, OpenFiles, words } from '../disk/files.ts'
import { openForQueues } from './connection.ts'
import { asidePath, BUSY_MS, type OwnDatabase, openOwn, placeDatabase, setAside } from './open-own.ts'

/** How soon files that another program removed are missed. */
const LOOK_MS = 1_000

export interface RecordDatabase extends Omit<OwnDatabase, 'connect'> {
  /** What it is the record of, as a person reads it. */
  readonly of: string
  /** What is lost when it begins anew: "sweeps have to be made again". */
  readonly lost: string
  /** Makes what the connection needs and the file does not hold. */
  ready?(db: DatabaseSync): void
}

/**
 * Opens a database of what Acuse itself did, made when it is not there. A damaged or foreign one is set aside, never deleted, and a fresh
 * one takes its place.
 * @param warn then gets a sentence for the person
 * @throws AcuseError `newer-schema`, `store-failed`
 */
export function openRecord(
  { of, lost, ready, ...own }: RecordDatabase,
  now: number,
  warn: (message: string) => void,
): DatabaseSync {
  try {
    const { db, setAside } = openOwn({ ...own, connect: (at) => openForQueues(at, BUSY_MS) }, now)
    if (setAside)
      warn(
        `The record of ${of} could not be read (${setAside.reason}) and begins anew; it is kept as ${setAside.files[0]}. Deliveries are not affected; ${lost}.`,
      )
    ready?.(db)
    watchFiles(db, own.path, warn)
    return db
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw new AcuseError('store-failed', `${own.path} cannot be used: ${words(error)}.`, { path: own.path })
  }
}

/**
 * Another program may remove or replace the files of an open database. What is still open is written anew then, and the thread ends with
 * the reason as its error: the next one opens what was written.
 */
function watchFiles(db: DatabaseSync, path: string, warn: (message: string) => void): void {
  const files = new OpenFiles(path)
  const timer = setInterval(() => {
    if (!db.isOpen) return clearInterval(timer)
    const moved = files.moved()
    if (moved === null) return
    const copy = asidePath(path, Date.now()).path
    try {
      claimDatabase(copy)
      db.prepare('VACUUM INTO ?').run(copy)
    } catch (error) {
      rmSync(copy, { force: true })
      return warn(`${moved}, and cannot be written anew: ${words(error)}. It is tried again each second.`)
    }
    db.close()
    files.removeSides()
    const { files: found } = setAside(path, Date.now(), 'moved', moved)
    placeDatabase(copy, path)
    const kept = found.length > 0 ? ` What had its name is kept as ${found[0]}.` : ''
    throw new Error(`${moved}; it was written anew from what was still open.${kept}`)
  }, LOOK_MS).unref()
}
