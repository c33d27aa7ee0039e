import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statfsSync,
  statSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** An open file of the log. Offsets and lengths in bytes. */
export interface LogFile {
  /** Writes all bytes at an offset. @throws the system's error; then any part of the bytes may be written */
  write(bytes: Uint8Array, at: number): void
  /** Makes the file at least so long. @throws the system's error */
  extend(to: number): void
  /** Returns when all writes are on the disk. @throws the system's error; then the writes may be lost permanently */
  sync(): void
  /** Writes and syncs zeros without blocking the caller. @param length at most that of ZEROS @throws the system's error */
  zero(at: number, length: number): Promise<void>
  /** Reads until the buffer is full or the file ends. @returns number of bytes */
  read(into: Uint8Array, at: number): number
  size(): number
  /** Whether the name still refers to this file: another program may have removed or replaced it. */
  present(): boolean
  close(): void
}

/** The folder of a log. Tests use one that loses unsynced writes. */
export interface Disk {
  /** Creates the folder if it is missing, but not the one that it lies in. @throws the system's error */
  make(): void
  /** Names of all files. */
  list(): readonly string[]
  /** Creates a file of one byte, private to this user; its name survives a power cut. An empty one shows that another program emptied it. */
  create(name: string): LogFile
  open(name: string): LogFile
  remove(name: string): void
  /** Free bytes of the volume. */
  free(): number
}

/**
 * The most that `zero` writes. Larger writes would take a processor from intake for several milliseconds. One for all calls, since a new
 * buffer costs a page fault per 4 KiB each time.
 */
export const ZEROS = Buffer.alloc(1024 * 1024)

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

  write(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.byteLength; )
      done += writeSync(this.#fd, bytes, done, bytes.byteLength - done, at + done)
  }

  extend(to: number): void {
    if (this.size() < to) ftruncateSync(this.#fd, to)
  }

  sync(): void {
    if (this.#syncs) fdatasyncSync(this.#fd)
  }

  async zero(at: number, length: number): Promise<void> {
    await promisify(write)(this.#fd, ZEROS, 0, length, at)
    await promisify(fdatasync)(this.#fd)
  }

  read(into: Uint8Array, at: number): number {
    return readWhole(this.#fd, into, at)
  }

  size(): number {
    return fstatSync(this.#fd).size
  }

  present(): boolean {
    // Files without syncs are written too often for this check.
    return !this.#syncs || statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#ino
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/**
 * Opens a folder; creates it if missing. @param use `unsynced`: writes survive the process, not a power cut; `read`: a disk that the system
 * has made read-only can still be read @throws the system's error
 */
export function folderOf(path: string, use: 'synced' | 'unsynced' | 'read' = 'synced'): Disk {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const syncs = use === 'synced'
  // O_NOFOLLOW: a symbolic link with a segment's name leads to a foreign file.
  const flags = (use === 'read' ? constants.O_RDONLY : constants.O_RDWR) | (constants.O_NOFOLLOW ?? 0)
  return {
    make() {
      if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
    },
    list: () => readdirSync(path),
    create(name) {
      const own = join(path, name)
      const fd = openSync(own, flags | constants.O_CREAT | constants.O_EXCL, 0o600)
      ftruncateSync(fd, 1)
      // The umask may have reduced the mode at creation.
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

/** Reads until the buffer is full or the file ends. @returns number of bytes */
export function readWhole(fd: number, into: Uint8Array, at: number): number {
  let done = 0
  while (done < into.byteLength) {
    const got = readSync(fd, into, done, into.byteLength - done, at + done)
    if (got === 0) break
    done += got
  }
  return done
}

/** Makes creations, renames and removals in a folder survive a power cut. Windows cannot open folders, but does that by itself. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
