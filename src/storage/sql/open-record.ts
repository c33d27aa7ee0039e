import type { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { words } from '../files.ts'
import { openForQueues } from './connection.ts'
import { BUSY_MS, type OwnDatabase, openOwn } from './open-own.ts'

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
    return db
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw new AcuseError('store-failed', `${own.path} cannot be used: ${words(error)}.`, { path: own.path })
  }
}
