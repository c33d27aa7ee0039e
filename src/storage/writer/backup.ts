import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { claimDatabase, kindOf, type StoreFiles, storeFiles, words } from '../disk/files.ts'
import { PAGES_AT_ONCE } from '../sql/open-own.ts'

/** Small files of a data folder that a backup takes along. */
const SMALL = [
  ...['settings.json', 'secrets.json', 'secret-headers.json', 'schedule-runs.json'],
  ...['following.json', 'receiver-certificate.pem'],
]

/** Lies in the folder until the copy is whole: a copying that was killed leaves files that the next one may replace. */
const UNFINISHED = 'unfinished-backup'

/** @returns whether a folder is missing, has no files, or has what a copying left that did not end */
export const isFree = (folder: string): boolean =>
  kindOf(folder) === 'nothing' ||
  readdirSync(folder).length === 0 ||
  kindOf(join(folder, UNFINISHED)) === 'file'

/**
 * Copies a data folder while it is in use. derived.db is missing in the copy, since Acuse makes it again.
 * @param captured the open connection that writes: its own changes reach the copy, so the copying never has to begin again
 * @param folder free (`isFree`) @throws SQLite's or the file system's error
 */
export async function backUp(captured: DatabaseSync, from: StoreFiles, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(folder, 0o700)
  const to = storeFiles(folder)
  const unfinished = join(folder, UNFINISHED)
  writeFileSync(unfinished, '')
  for (const path of [to.captured, to.replays, to.sweeps])
    for (const name of [path, `${path}-journal`]) rmSync(name, { force: true })
  await copied(captured, to.captured)
  for (const name of ['replays', 'sweeps'] as const) {
    if (kindOf(from[name]) !== 'file') continue
    try {
      using db = new DatabaseSync(from[name], { readOnly: true, timeout: 2_000 })
      await copied(db, to[name])
    } catch (error) {
      throw new Error(`${basename(from[name])}: ${words(error)}`, { cause: error })
    }
  }
  for (const name of SMALL) {
    if (kindOf(join(from.folder, name)) !== 'file') continue
    copyFileSync(join(from.folder, name), join(folder, name))
    if (process.platform !== 'win32') chmodSync(join(folder, name), 0o600)
  }
  rmSync(unfinished)
}

const TRIES = 250
const RETRY_MS = 20

/** A source in the middle of a transaction refuses the first step, which Node reports as an error with SQLite's code of success. */
async function copied(db: DatabaseSync, path: string): Promise<void> {
  claimDatabase(path)
  for (let tries = 1; ; tries++)
    try {
      await backup(db, path, { rate: PAGES_AT_ONCE })
      return
    } catch (error) {
      if (Reflect.get(Object(error), 'errcode') !== 0 || tries === TRIES) throw error
      await pause(RETRY_MS)
    }
}
