import { readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { sizeOf } from './files.ts'

/** The figures may be this old: they are asked for with every status. */
const FRESH_MS = 1_000

/** How much of the disk the store takes, set-aside databases and journals included, and how much is left. */
export class DiskUsage {
  readonly #folder: string
  #at = 0
  #known: { usedBytes: number; freeBytes: number | null } = { usedBytes: 0, freeBytes: null }

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param reusableBytes free space inside the database, which does not count as taken */
  read(reusableBytes: number): { readonly usedBytes: number; readonly freeBytes: number | null } {
    const now = performance.now()
    if (this.#at === 0 || now - this.#at >= FRESH_MS) {
      this.#at = now
      this.#known = { usedBytes: usedIn(this.#folder), freeBytes: freeAt(this.#folder) }
    }
    const { usedBytes, freeBytes } = this.#known
    return { usedBytes: Math.max(0, usedBytes - reusableBytes), freeBytes }
  }
}

function usedIn(folder: string): number {
  try {
    return readdirSync(folder)
      .filter((name) => /^(captured|derived|spill-)/.test(name))
      .reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
  } catch {
    // A file may go between the listing and the look at its size: a figure for people is not worth a failure.
    return 0
  }
}

function freeAt(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
