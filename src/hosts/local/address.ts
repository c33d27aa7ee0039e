import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AcuseError } from '#contract/errors.ts'

/** The system's limit for a socket path is 104 bytes on macOS and 108 on Linux, terminator included. */
const LONGEST = 100

export interface LocalAddress {
  readonly path: string
  /** The folder that has to be made for it; null when the path lies in the data folder or is a named pipe. */
  readonly folder: string | null
}

/**
 * Where the host of a data folder serves the commands: a socket in the folder; where its path would be too long, one in a private
 * folder among the temporary files; on Windows a named pipe. Host and client come to the same address by the folder alone.
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

/** Makes the private folder of an address, if it needs one. @throws AcuseError `forbidden` when another user could reach its content */
export function ensurePrivate({ folder }: LocalAddress): void {
  if (folder === null) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Anyone may make folders among the temporary files, also one with our name.
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== ownUid() || (found.mode & 0o077) !== 0)
    throw new AcuseError(
      'forbidden',
      `${folder} is not a private folder of yours; remove it and start again.`,
    )
}

/** By number: a container may run under one that no user has, which os.userInfo() refuses. Windows has none, and takes a pipe. */
const ownUid = (): number => process.getuid?.() ?? -1

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}
