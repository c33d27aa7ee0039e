import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { AcuseError } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'

/** @returns the absolute path of the data folder: `--data`, else ACUSE_DATA, else the platform's per-user data folder */
export function dataDir(flag?: string): string {
  return resolve(flag || process.env.ACUSE_DATA || join(userDataRoot(), 'Acuse'))
}

/**
 * Makes a private data folder. An empty one becomes private before anything is in it, so that a later call takes it for ours. A folder
 * that others use is refused. @param warn called when an empty folder has become private @throws AcuseError `store-failed`
 */
export function ensureDataDir(folder: string, warn: (sentence: string) => void): void {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (made === undefined && process.platform !== 'win32') demandOwn(folder, warn)
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw new AcuseError('store-failed', `The folder ${folder} cannot be made: ${fileTrouble(error)}.`)
  }
}

const OTHERS = 0o077
/** Set-group-id, sticky, writable by all: no umask gives these, so a user set them to share the folder. */
const MEANT_TO_BE_SHARED = 0o3002
/** One of these files identifies a data folder, even when a copy or restore has changed its mode. */
const OUR_FILES = ['captured.db', 'sandbox.db']

function demandOwn(folder: string, warn: (sentence: string) => void): void {
  const { mode, uid } = statSync(folder)
  if ((mode & OTHERS) === 0) return
  const entries = readdirSync(folder)
  if (entries.some((name) => OUR_FILES.includes(name))) return
  const shared = entries.length > 0 ? 'holds other files' : 'is shared'
  if (entries.length > 0 || (mode & MEANT_TO_BE_SHARED) !== 0)
    throw new AcuseError(
      'store-failed',
      `The folder ${folder} ${shared}, and other users can get into it. Acuse closes its data folder to them: name one of its own, such as ${join(folder, 'acuse')}.`,
      { folder },
    )
  // No warning: the store will refuse another user's folder.
  if (process.getuid && uid !== process.getuid()) return
  chmodSync(folder, 0o700)
  warn(`The empty folder ${folder} was open to other users; from now on it is yours alone.`)
}

function userDataRoot(): string {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA || join(home(), 'AppData', 'Local')
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support')
  return process.env.XDG_DATA_HOME || join(home(), '.local', 'share')
}

/** @throws AcuseError `store-failed` without a home folder, as for a uid without a user and without HOME */
function home(): string {
  try {
    return homedir()
  } catch {
    throw new AcuseError(
      'store-failed',
      'The system knows no home folder of this user; say where the data goes with --data FOLDER or ACUSE_DATA.',
    )
  }
}

/** Tells the followers of a shared log apart, also after a restart. */
export const originOf = (folder: string): string =>
  createHash('sha256')
    .update(`${hostname()}\n${resolve(folder)}`)
    .digest('hex')
