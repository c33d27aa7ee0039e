import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statfsSync,
  statSync,
  unlinkSync,
  write,
  writevSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** An open file of the log. Offsets and lengths in bytes. */
export interface LogFile {
  /** Writes all bytes at an offset. @throws the system's error; any part of them may have been written then */
  write(buffers: readonly Uint8Array[], at: number): void
  /** Returns once everything written is on the disk. @throws the system's error; what was written may be lost then, for good */
  sync(): void
  /** Writes so many zeros and syncs them, while the caller goes on. @throws the system's error */
  zero(at: number, length: number): Promise<void>
  /** @returns the bytes that were there, at most as many as the buffer takes */
  read(into: Uint8Array, at: number): number
  size(): number
  /** Whether its name still leads to it: another program may have removed or replaced it. */
  present(): boolean
  close(): void
}

/** The folder of a log. The tests give one that loses what was not synced. */
export interface Disk {
  /** Names of all files. */
  list(): readonly string[]
  /** Makes an empty file for this user alone; its name survives a power cut. */
  create(name: string): LogFile
  open(name: string): LogFile
  remove(name: string): void
  /** Bytes that are left. */
  free(): number
}

/** The system takes at most this many buffers in one call. */
const BUFFERS_AT_ONCE = 1024

class File implements LogFile {
  readonly #fd: number
  readonly #path: string
  readonly #ino: number
  readonly #syncs: boolean

  constructor(fd: number, path: string, syncs: boolean) {
    this.#fd = fd
    this.#syncs = syncs
    this.#path = path
    this.#ino = fstatSync(fd).ino
  }

  write(buffers: readonly Uint8Array[], at: number): void {
    for (let from = 0; from < buffers.length; from += BUFFERS_AT_ONCE) {
      let rest = buffers.slice(from, from + BUFFERS_AT_ONCE)
      while (rest.length > 0) {
        const written = writevSync(this.#fd, rest, at)
        at += written
        rest = behind(rest, written)
      }
    }
  }

  sync(): void {
    if (this.#syncs) fdatasyncSync(this.#fd)
  }

  async zero(at: number, length: number): Promise<void> {
    await promisify(write)(this.#fd, Buffer.alloc(length), 0, length, at)
    await promisify(fdatasync)(this.#fd)
  }

  read(into: Uint8Array, at: number): number {
    return readWhole(this.#fd, into, at)
  }

  size(): number {
    return fstatSync(this.#fd).size
  }

  present(): boolean {
    // What need not outlive a power cut is written too often to be looked after.
    return !this.#syncs || statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#ino
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** What is left of buffers when so many bytes of them have been written. */
function behind(buffers: readonly Uint8Array[], written: number): Uint8Array[] {
  let skip = written
  for (const [index, buffer] of buffers.entries()) {
    if (skip < buffer.byteLength) return [buffer.subarray(skip), ...buffers.slice(index + 1)]
    skip -= buffer.byteLength
  }
  return []
}

/** A folder of the file system, made where it is missing. @param syncs false: what is written survives the process, not a power cut @throws the system's error */
export function folderOf(path: string, syncs = true): Disk {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // O_NOFOLLOW: a link under a segment's name leads to a file that is none of ours.
  const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)
  return {
    list: () => readdirSync(path),
    create(name) {
      const own = join(path, name)
      const fd = openSync(own, flags | constants.O_CREAT | constants.O_EXCL, 0o600)
      // The mode at creation is what the umask leaves of it.
      fchmodSync(fd, 0o600)
      syncFolder(path)
      return new File(fd, own, syncs)
    },
    open(name) {
      const own = join(path, name)
      return new File(openSync(own, flags), own, syncs)
    },
    remove: (name) => unlinkSync(join(path, name)),
    free() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
  }
}

/** @returns the bytes that were there */
export function readWhole(fd: number, into: Uint8Array, at: number): number {
  let done = 0
  while (done < into.byteLength) {
    const got = readSync(fd, into, done, into.byteLength - done, at + done)
    if (got === 0) break
    done += got
  }
  return done
}

/** Makes creations, renames and removals in a folder survive a power cut. Windows cannot open folders and does it by itself. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
