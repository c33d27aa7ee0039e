import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreStatus } from '#core/ports.ts'
import { isFull, sizeOf } from './files.ts'

interface Stored {
  /** Of free space inside the database. */
  readonly reusableBytes: number
  readonly trashed: { readonly bytes: number }
  readonly rings: Readonly<Record<'rejected' | 'malformed', { readonly bytes: number }>>
}

/** The figures may be this old: they are asked for with every status. */
const FRESH_MS = 1_000

/** How much of the disk the store takes, set-aside databases and journals included, and how much is left. */
export class DiskUsage {
  readonly #folder: string
  #at = 0
  #known = { usedBytes: 0, filedBytes: 0, freeBytes: null as number | null }

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Free space inside the database does not count as taken. */
  read({ reusableBytes, trashed, rings }: Stored): StoreStatus['disk'] {
    const { usedBytes, freeBytes } = this.#look()
    return {
      usedBytes: Math.max(0, usedBytes - reusableBytes),
      freeBytes,
      trashBytes: trashed.bytes,
      rejectedBytes: rings.rejected.bytes,
      malformedBytes: rings.malformed.bytes,
    }
  }

  /** As `usedBytes`, without the write-ahead logs, which deleting makes longer for a moment. */
  filedBytes({ reusableBytes }: Pick<Stored, 'reusableBytes'>): number {
    return this.#look().filedBytes - reusableBytes
  }

  #look() {
    const now = performance.now()
    if (this.#at === 0 || now - this.#at >= FRESH_MS) {
      this.#at = now
      this.#known = { ...usedIn(this.#folder), freeBytes: freeAt(this.#folder) }
    }
    return this.#known
  }
}

function usedIn(folder: string): { readonly usedBytes: number; readonly filedBytes: number } {
  let [usedBytes, filedBytes] = [0, 0]
  try {
    for (const name of readdirSync(folder)) {
      if (!/^(captured|derived|spill-)/.test(name)) continue
      const size = sizeOf(join(folder, name))
      usedBytes += size
      if (!/-(wal|shm)$/.test(name)) filedBytes += size
    }
  } catch {
    // What was counted so far: a figure for people is not worth a failure.
  }
  return { usedBytes, filedBytes }
}

/** Free space of the volume; null when the system does not say. */
export function freeAt(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** Sweeps, jobs and forwards leave this much of the disk to deliveries. */
const LEAST_FREE = 64 * 1024 * 1024

/** Why work that can wait does so: a sentence; null while there is room. */
export function shortageAt(folder: string): string | null {
  const free = freeAt(folder)
  if (free === null || free >= LEAST_FREE) return null
  return `Only ${Math.floor(free / 1_000_000)} MB are free on the disk, which deliveries need. It goes on by itself once ${Math.ceil(LEAST_FREE / 1_000_000)} MB are free.`
}

/** Room for a full disk: `journal` for deliveries that the database no longer takes, `record` for what must be written down then. */
const SHARES = { journal: 12 * 1024 * 1024, record: 4 * 1024 * 1024 }
export type Share = keyof typeof SHARES
const WHOLE = SHARES.journal + SHARES.record
const OF_FREE = 1 / 8
const PIECE = 256 * 1024

const pathOf = (folder: string, share: Share): string => join(folder, `reserve-${share}`)

/** Makes the reserve, and makes it anew once there is room again. Cheap while it is there. */
export function keepReserve(folder: string): void {
  const free = freeAt(folder)
  if (free === null) return
  for (const share of ['journal', 'record'] as const) {
    const path = pathOf(folder, share)
    const size = sizeOf(path)
    const wanted = Math.floor(Math.min(1, ((free + size) * OF_FREE) / WHOLE) * SHARES[share])
    if (size >= wanted / 2) continue
    try {
      fill(path, wanted)
    } catch {
      // Half a reserve would take room without being one.
      rmSync(path, { force: true })
    }
  }
}

function giveUpReserve(folder: string, share: Share): boolean {
  const path = pathOf(folder, share)
  const had = sizeOf(path) > 0
  rmSync(path, { force: true })
  return had
}

/** Does what writes, and once more with the room of its share where the disk is full. @throws what `work` throws */
export function withReserve<T>(folder: string, share: Share, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isFull(error) || !giveUpReserve(folder, share)) throw error
    return work()
  }
}

/** Random bytes: a file system that packs what it stores would keep no room for zeros. */
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
