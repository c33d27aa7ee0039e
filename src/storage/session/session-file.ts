import { closeSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AcuseError, refused } from '#contract/errors.ts'
import { type SessionHead, sessionHead } from '#contract/session.ts'
import { fileTrouble, systemCode } from '#core/file-trouble.ts'
import { claimDatabase, closedOnFailure, storeFiles } from '../disk/files.ts'
import { CAPTURED_MIGRATIONS } from '../schema/captured.ts'
import { REPLAYS_MIGRATIONS } from '../schema/replays.ts'
import { SWEEPS_MIGRATIONS } from '../schema/sweeps.ts'
import { PAGE_SIZE, pragmaOf } from '../sql/connection.ts'
import type { Migrations } from '../sql/open-own.ts'

/** "ACUE": distinguishes a session file from the databases of a data folder. */
export const SESSION_ID = 1_094_931_781
/** `user_version` of the file. */
const VERSION = 1

/** The tables of a data folder's databases, in one file: their names differ. */
const PARTS = { captured: CAPTURED_MIGRATIONS, replays: REPLAYS_MIGRATIONS, sweeps: SWEEPS_MIGRATIONS }
type Part = keyof typeof PARTS
const PART_NAMES = Object.keys(PARTS) as readonly Part[]

/** One row: the head as JSON. */
const HEAD = 'CREATE TABLE session (head TEXT NOT NULL) STRICT'
/** Results of analysis as the exporting Acuse had them: a masked body could get others (analyst/records.ts). */
const JUDGED = `CREATE TABLE judged (
  delivery_id INTEGER PRIMARY KEY, verdict TEXT NOT NULL, finding_count INTEGER NOT NULL, marks INTEGER NOT NULL, packed BLOB
) STRICT`
/** Bodies that are not as received: `masked`, `decoded`, `left-out`. */
const BODY_STATE = 'CREATE TABLE body_state (delivery_id INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT'

const NEWEST: SessionHead['schemas'] = {
  captured: PARTS.captured.length,
  replays: PARTS.replays.length,
  sweeps: PARTS.sweeps.length,
}

const stepsOf = (part: Part, count: number): Migrations => PARTS[part].slice(0, count)
/** @returns the statements that make a part's tables, of an earlier version too */
const makePart = (part: Part, { [part]: count }: SessionHead['schemas']): string =>
  [...stepsOf(part, count), ...(part === 'captured' ? [JUDGED] : [])].join(';')

function makeAll(db: DatabaseSync, schemas: SessionHead['schemas']): void {
  // First, so that a file that ends too early still has its head.
  db.exec(HEAD)
  for (const part of PART_NAMES) db.exec(makePart(part, schemas))
  db.exec(`${BODY_STATE}; PRAGMA application_id=${SESSION_ID}; PRAGMA user_version=${VERSION}`)
}

/** Creates an empty session file, in a transaction. It has no side files, and only its owner may read it. */
export function createSession(path: string): DatabaseSync {
  claimDatabase(path)
  return closedOnFailure(new DatabaseSync(path, { enableForeignKeyConstraints: false }), (db) => {
    db.exec(`PRAGMA page_size=${PAGE_SIZE}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF`)
    db.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN')
    makeAll(db, NEWEST)
    return db
  })
}

/** Writes the head, commits and closes. */
export function finishSession(db: DatabaseSync, head: Omit<SessionHead, 'schemas'>): void {
  db.prepare('INSERT INTO session (head) VALUES (?)').run(JSON.stringify({ ...head, schemas: NEWEST }))
  db.exec('COMMIT')
  db.close()
}

/** Immutable: SQLite then neither locks the file nor looks for side files, so that nothing appears beside it. */
const readOnlyUrl = (path: string): string => `${pathToFileURL(path).href}?immutable=1`

type Fault = 'missing' | 'not-file' | 'no-database' | 'foreign' | 'head' | 'tables' | 'damaged'
export const unsound = (path: string, fault: Fault): AcuseError =>
  refused('damaged', `session-${fault}`, { file: path })

/** Primary result codes of SQLite about content, not about the system. */
const CONTENT: Readonly<Record<number, Fault>> = {
  11: 'damaged',
  19: 'damaged',
  20: 'damaged',
  26: 'no-database',
}

/** @param otherwise the sentence that repeats what the system says, for any other error */
function faultOf(path: string, error: unknown, otherwise: 'no-session' | 'session-uncopied'): AcuseError {
  const fault =
    systemCode(error) === 'ENOENT' ? 'missing' : CONTENT[Number(Reflect.get(Object(error), 'errcode')) & 255]
  return fault
    ? unsound(path, fault)
    : refused('damaged', otherwise, { file: path, system: fileTrouble(error) })
}

export interface OpenSession extends Disposable {
  readonly db: DatabaseSync
  readonly head: SessionHead
}

/**
 * Opens a file that may come from anyone. SQLite runs nothing of it: it must have exactly the tables that Acuse makes, so no trigger, view,
 * generated column or virtual table. @throws AcuseError `damaged`, `newer-schema`
 */
export function openSession(path: string): OpenSession {
  try {
    // Opening a pipe would wait for its other end.
    if (!statSync(path).isFile()) throw unsound(path, 'not-file')
    const db = new DatabaseSync(readOnlyUrl(path), { readOnly: true, enableForeignKeyConstraints: false })
    return closedOnFailure(db, () => {
      distrust(db)
      if (pragmaOf(db, 'application_id') !== SESSION_ID) throw unsound(path, 'foreign')
      if (Number(pragmaOf(db, 'user_version')) > VERSION) throw newer(path)
      const head = headOf(db, path)
      if (schemaOf(db) !== schemaAsMade(head.schemas)) throw unsound(path, 'tables')
      return { db, head, [Symbol.dispose]: () => db.close() }
    })
  } catch (error) {
    throw error instanceof AcuseError ? error : faultOf(path, error, 'no-session')
  }
}

/** Bytes 28 to 31 of SQLite's head: the number of pages. 0: as many as there are. */
const PAGES = { at: 28, length: 4 }
/** More than the first pages of all tables take: SQLite reads nothing without these. */
const ROOTS = 128 * PAGE_SIZE

/** Prepares a copy of a session file, so that SQLite reads the pages that are there when it ends too early. */
export function allowCut(copy: string): void {
  const file = openSync(copy, 'r+')
  try {
    writeSync(file, new Uint8Array(PAGES.length), 0, PAGES.length, PAGES.at)
    if (fstatSync(file).size < ROOTS) ftruncateSync(file, ROOTS)
  } finally {
    closeSync(file)
  }
}

const newer = (path: string): AcuseError => refused('newer-schema', 'newer-session', { file: path })

function distrust(db: DatabaseSync): void {
  db.enableDefensive(true)
  db.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA query_only=ON')
}

const LONGEST_HEAD = 4 * 1024 * 1024

/** Checks its table first: a view of that name could compute for ever. */
function headOf(db: DatabaseSync, path: string): SessionHead {
  const made = db.prepare("SELECT type, sql FROM sqlite_schema WHERE name = 'session'").all()
  if (made.length !== 1 || made[0]?.type !== 'table' || made[0]?.sql !== HEAD) throw unsound(path, 'head')
  const row = db.prepare('SELECT head FROM session WHERE length(head) < ?').get(LONGEST_HEAD)
  const read = sessionHead.safeParse(parsed(row?.head))
  if (!read.success) throw unsound(path, 'head')
  if (PART_NAMES.some((part) => read.data.schemas[part] > NEWEST[part])) throw newer(path)
  return read.data
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

const schemaOf = (db: DatabaseSync): string =>
  JSON.stringify(db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all())

function schemaAsMade(schemas: SessionHead['schemas']): string {
  using db = new DatabaseSync(':memory:')
  makeAll(db, schemas)
  return schemaOf(db)
}

/**
 * Copies a session's rows into the databases of an empty data folder, whose store then opens them like its own. The types of the columns
 * are checked again, as the tables are strict. @throws AcuseError as `openSession`; `damaged` when a row cannot be read
 */
export function unpackSession(path: string, folder: string): SessionHead {
  using session = openSession(path)
  const { head } = session
  const files = storeFiles(folder)
  try {
    for (const part of PART_NAMES) copyPart(part, head.schemas, readOnlyUrl(path), files[part])
    return head
  } catch (error) {
    throw faultOf(path, error, 'session-uncopied')
  }
}

function copyPart(part: Part, schemas: SessionHead['schemas'], from: string, to: string): void {
  claimDatabase(to)
  using db = new DatabaseSync(to, { enableForeignKeyConstraints: false })
  db.exec(`PRAGMA page_size=${PAGE_SIZE}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN`)
  db.exec(`${makePart(part, schemas)}; PRAGMA user_version=${schemas[part]}; COMMIT`)
  db.enableDefensive(true)
  db.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON')
  db.prepare('ATTACH ? AS session').run(`${from}&mode=ro`)
  db.exec('BEGIN')
  for (const { name } of db
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all())
    db.exec(`INSERT INTO main.${name} SELECT * FROM session.${name}`)
  db.exec('COMMIT')
}
