import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AcuseError } from '#contract/errors.ts'
import { fileTrouble } from './file-trouble.ts'

/**
 * Where Acuse keeps its data: `--data`, else ACUSE_DATA, else the platform's per-user data folder. Always absolute.
 * @param flag the value of --data, when given
 */
export function dataDir(flag?: string): string {
  return resolve(flag || process.env.ACUSE_DATA || join(userDataRoot(), 'Acuse'))
}

/** Makes the folder (and its parents) for this user alone. @throws AcuseError `store-failed` saying which folder and why */
export function ensureDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new AcuseError('store-failed', `The folder ${folder} cannot be made: ${fileTrouble(error)}.`)
  }
}

function userDataRoot(): string {
  const home = homedir()
  if (process.platform === 'win32') return process.env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support')
  return process.env.XDG_DATA_HOME || join(home, '.local', 'share')
}
