import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AcuseError } from '#contract/errors.ts'

/** Longest path in bytes. The system's limit for a socket is 104 on macOS and 108 on Linux, terminator included. */
const LONGEST = 100

export interface LocalAddress {
  readonly path: string
  /** Folder to make for the socket; null when the socket is in the data folder or is a named pipe. */
  readonly folder: string | null
}

/**
 * Address of a data folder's host: a socket in the folder; when that path is too long, a socket in a private folder
 * under the temporary folder; on Windows a named pipe. It depends on the folder alone, so host and client agree.
 */
export function localAddress(dataDir: string): LocalAddress {
  const folder = real(dataDir)
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\acuse-${name}`, folder: null }
  const near = join(folder, 'acuse.sock')
  if (Buffer.byteLength(near) <= LONGEST) return { path: near, folder: null }
  const far = join(tmpdir(), `acuse-${ownUid()}`)
  return { path: join(far, `${name}.sock`), folder: far }
}

/** Makes the private folder of an address, if it needs one. @throws AcuseError `forbidden` when another user has access to it */
export function ensurePrivate({ folder }: LocalAddress): void {
  if (folder === null) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Every user may make a folder of this name in the temporary folder.
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== ownUid() || (found.mode & 0o077) !== 0)
    throw new AcuseError(
      'forbidden',
      `${folder} is not a private folder of yours; remove it and start again.`,
    )
}

/** By process.getuid, since os.userInfo() fails for a container's uid without a user. Windows has no uid and uses a pipe. */
const ownUid = (): number => process.getuid?.() ?? -1

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}
