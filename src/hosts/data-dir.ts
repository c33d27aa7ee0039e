import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Where Acuse keeps its data: `--data`, else ACUSE_DATA, else the platform's per-user data folder. Always absolute.
 * @param flag the value of --data, when given
 */
export function dataDir(flag?: string): string {
  return resolve(flag || process.env.ACUSE_DATA || join(userDataRoot(), 'Acuse'))
}

/** Makes the folder (and its parents) for this user alone. */
export function ensureDataDir(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function userDataRoot(): string {
  const home = homedir()
  if (process.platform === 'win32') return process.env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support')
  return process.env.XDG_DATA_HOME || join(home, '.local', 'share')
}
