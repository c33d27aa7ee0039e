import { readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreStatus } from '#core/ports.ts'
import { sizeOf } from './files.ts'
import type { WriterStatus } from './writer/status.ts'

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
  read({ reusableBytes, trashed, rings }: WriterStatus): StoreStatus['disk'] {
    const { usedBytes, freeBytes } = this.#look()
    return {
      usedBytes: Math.max(0, usedBytes - reusableBytes),
      ...{ freeBytes, trashBytes: trashed.bytes },
      ...{ rejectedBytes: rings.rejected.bytes, malformedBytes: rings.malformed.bytes },
    }
  }

  /** As `usedBytes`, without the write-ahead logs, which deleting makes longer for a moment. */
  filedBytes({ reusableBytes }: WriterStatus): number {
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
