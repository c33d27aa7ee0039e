import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { DATABASE_SUFFIXES } from '../files.ts'
import { CAPTURED_MIGRATIONS } from '../migrations/captured/all.ts'
import { openForWriting, PAGE_SIZE } from '../sql/connection.ts'
import { migrate } from '../sql/migrate.ts'

/** Places in SQLite's header (sqlite.org/fileformat.html, The Database Header). */
const PAGE_COUNT = 28
const FREELIST = 32
const FREELIST_LENGTH = 36

/**
 * Replaces the first page, which holds the header and the schema, by one of an empty database: the same migrations always put the
 * tables' roots on the same pages, so that a schema made anew finds the old rows.
 */
export function giveFirstPage(path: string): void {
  const model = `${path}.model`
  const page = modelPage(model)
  page.writeUInt32BE(Math.floor(statSync(path).size / PAGE_SIZE), PAGE_COUNT)
  page.writeUInt32BE(0, FREELIST)
  page.writeUInt32BE(0, FREELIST_LENGTH)
  const fd = openSync(path, 'r+')
  try {
    writeSync(fd, page, 0, PAGE_SIZE, 0)
  } finally {
    closeSync(fd)
  }
}

function modelPage(path: string): Buffer {
  try {
    const db = openForWriting(path, 0)
    migrate(db, path, CAPTURED_MIGRATIONS)
    db.close()
    return readFileSync(path).subarray(0, PAGE_SIZE)
  } finally {
    for (const suffix of DATABASE_SUFFIXES) rmSync(path + suffix, { force: true })
  }
}
