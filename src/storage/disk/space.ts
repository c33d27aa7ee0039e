import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreStatus } from '#core/ports.ts'
import { isFull, sizeOf } from './files.ts'

interface Stored {
  /** Free space inside the database. */
  readonly reusableBytes: number
  readonly trashed: { readonly bytes: number }
  readonly rings: Readonly<Record<'rejected' | 'malformed', { readonly bytes: number }>>
}

/** How long figures are cached, as every status needs them. */
const FRESH_MS = 1_000

/** Size of the log while filing keeps up; only the excess counts as used. */
const LOG_ROOM = 2 * 64 * 1024 * 1024

const NOTHING = { usedBytes: 0, filedBytes: 0, logBytes: 0 }

/** Disk space that the store uses, with databases set aside and a log beyond its usual size, and free space of the volume. */
export class DiskUsage {
  readonly #folder: string
  #at = 0
  #known = { ...NOTHING, freeBytes: null as number | null }

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Free space inside the database does not count as used. */
  read({ reusableBytes, trashed, rings }: Stored): StoreStatus['disk'] {
    const { usedBytes, freeBytes, logBytes } = this.#measure()
    return {
      logBytes,
      usedBytes: Math.max(0, usedBytes - reusableBytes),
      freeBytes,
      trashBytes: trashed.bytes,
      rejectedBytes: rings.rejected.bytes,
      malformedBytes: rings.malformed.bytes,
    }
  }

  /** Like `usedBytes`, without the write-ahead logs, which a deletion makes longer for a moment. */
  filedBytes({ reusableBytes }: Pick<Stored, 'reusableBytes'>): number {
    return this.#measure().filedBytes - reusableBytes
  }

  #measure() {
    const now = performance.now()
    if (this.#at === 0 || now - this.#at >= FRESH_MS) {
      this.#at = now
      this.#known = { ...usedIn(this.#folder), freeBytes: freeAt(this.#folder) }
    }
    return this.#known
  }
}

function usedIn(folder: string): typeof NOTHING {
  let { usedBytes, filedBytes, logBytes } = NOTHING
  try {
    for (const name of readdirSync(folder)) {
      if (!/^(captured|derived|spill-)/.test(name)) continue
      const size = sizeOf(join(folder, name))
      usedBytes += size
      if (!/-(wal|shm)$/.test(name)) filedBytes += size
    }
    const log = join(folder, 'log')
    logBytes = readdirSync(log).reduce((sum, name) => sum + sizeOf(join(log, name)), 0)
    usedBytes += Math.max(0, logBytes - LOG_ROOM)
    filedBytes += Math.max(0, logBytes - LOG_ROOM)
  } catch {
    // Returns the sum so far: a figure for the user is not worth a failure.
  }
  return { usedBytes, filedBytes, logBytes }
}

/** Free bytes of the volume; null when unknown. */
export function freeAt(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Free space that sweeps, jobs and forwards leave to deliveries. */
const LEAST_FREE = 64 * 1024 * 1024

/** A sentence why sweeps, jobs and forwards wait; null while there is room. */
export function shortageAt(folder: string): string | null {
  const free = freeAt(folder)
  if (free === null || free >= LEAST_FREE) return null
  return `Only ${Math.floor(free / 1_000_000)} MB are free on the disk, which deliveries need. It continues by itself once ${Math.ceil(LEAST_FREE / 1_000_000)} MB are free.`
}

/**
 * Size of a file that reserves disk space for records that must be written even when the disk is full: coverage, incidents, ends of
 * attempts. On a small disk it is a share of the free space. Deliveries have the space that the log allocated ahead.
 */
const RESERVE = 4 * 1024 * 1024
const OF_FREE = 1 / 32
const PIECE = 256 * 1024

const pathIn = (folder: string): string => join(folder, 'reserve-record')

/** Creates the reserve when it is missing and there is room. Cheap while it exists. */
export function keepReserve(folder: string): void {
  // Version 0.1 had a reserve for a spill journal too.
  rmSync(join(folder, 'reserve-journal'), { force: true })
  const free = freeAt(folder)
  if (free === null) return
  const path = pathIn(folder)
  const size = sizeOf(path)
  const wanted = Math.floor(Math.min(RESERVE, (free + size) * OF_FREE))
  if (size >= wanted / 2) return
  try {
    fill(path, wanted)
  } catch {
    // A partial reserve would use space without being of use.
    rmSync(path, { force: true })
  }
}

/** @returns whether there was a reserve */
function giveUpReserve(folder: string): boolean {
  const path = pathIn(folder)
  const had = sizeOf(path) > 0
  rmSync(path, { force: true })
  return had
}

/**
 * Runs `work`; when the disk is full, frees the reserve and runs it again.
 * @throws what `work` throws
 */
export function withReserve<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isFull(error) || !giveUpReserve(folder)) throw error
    return work()
  }
}

/** Writes random bytes, because a compressing file system would reserve no space for zeros. */
function fill(path: string, size: number): void {
  const fd = openSync(path, 'w', 0o600)
  try {
    const piece = Buffer.alloc(Math.min(PIECE, size))
    for (let written = 0; written < size; )
      written += writeSync(fd, randomFillSync(piece), 0, Math.min(piece.byteLength, size - written))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
