import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { freeAt } from './disk-usage.ts'
import { sizeOf } from './files.ts'
import { isFull } from './sql/failure.ts'

/**
 * Room on the disk that is held back for when the disk is full: `journal` for deliveries that the database no longer takes, `record` for
 * what must be written down then (coverage, incidents, ends of attempts). On a small disk it is a part of what is free.
 */
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

/** @returns whether that made room */
function giveUpReserve(folder: string, share: Share): boolean {
  const path = pathOf(folder, share)
  const had = sizeOf(path) > 0
  rmSync(path, { force: true })
  return had
}

/**
 * Does what writes, and once more with the room of its share where the disk is full.
 * @throws what `work` throws
 */
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
