import { closeSync, fstatSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { LogProblem } from '#contract/status.ts'
import type { LogRecord } from '#core/ports.ts'
import { readWhole, syncFolder } from '#log/disk.ts'
import { placesOf } from '#log/segment.ts'
import { makePrivate, words } from '../disk/files.ts'
import { oldRecord } from '../wire/record.ts'

/*
 * Version 0.1 had no log: while the database failed, it wrote deliveries to a spill journal. An entry is "ACJ1", kind (u32: 0 a
 * delivery, 1 a piece of a body), length (u32), CRC-32 of the payload (u32), payload. The magic lets a reader find the next entry after
 * a damaged one.
 */
const MAGIC = 0x31_4a_43_41
const HEAD = 16
const NAME = /^spill-(\d+)\.journal$/

const ENTRIES_AT_ONCE = 500
const BYTES_AT_ONCE = 4 * 1024 * 1024

/**
 * Moves the entries of spill journals of version 0.1 to the log, and removes the journals. A journal with a damaged entry is renamed
 * instead. A crash meanwhile does no harm: filing skips an entry that it has already filed.
 * @returns the journals that cannot be read, which stay
 */
export async function moveOldJournals(
  folder: string,
  append: (records: readonly LogRecord[]) => Promise<unknown>,
): Promise<readonly LogProblem[]> {
  const unread: LogProblem[] = []
  const names = readdirSync(folder).filter((name) => NAME.test(name))
  for (const name of names.sort((a, b) => numberOf(a) - numberOf(b))) {
    const path = join(folder, name)
    let journal: Journal | undefined
    try {
      journal = new Journal(path)
      for (let records = journal.read(); records.length > 0; records = journal.read()) await append(records)
      if (journal.damaged) renameSync(path, `${path}.damaged`)
      else unlinkSync(path)
      syncFolder(folder)
    } catch (error) {
      unread.push({ kind: 'journal', path, reason: words(error) })
    } finally {
      journal?.close()
    }
  }
  return unread
}

const numberOf = (name: string): number => Number(NAME.exec(name)?.[1])

class Journal {
  readonly #number: number
  readonly #fd: number
  readonly #size: number
  #at = 0
  /** True when skipped bytes are followed by a sound entry; the rest of an incomplete last write is no damage. */
  damaged = false

  /** @throws Error when it is no ordinary file; the file system's error */
  constructor(path: string) {
    makePrivate(path)
    this.#number = numberOf(path.slice(path.lastIndexOf('spill-')))
    this.#fd = openSync(path, 'r')
    this.#size = fstatSync(this.#fd).size
  }

  /** @returns the next batch of entries; empty at the end */
  read(): LogRecord[] {
    const records: LogRecord[] = []
    for (let bytes = 0; records.length < ENTRIES_AT_ONCE && bytes < BYTES_AT_ONCE; ) {
      const found = this.#entryAt(this.#at) ?? this.#search(this.#at + 1)
      if (!found) break
      if (found.at !== this.#at) this.damaged = true
      this.#at = found.end
      records.push(oldRecord(found.kind === 0, this.#number, found.end, found.payload))
      bytes += found.payload.byteLength
    }
    return records
  }

  close(): void {
    closeSync(this.#fd)
  }

  #search(from: number) {
    for (const at of placesOf(MAGIC, from, this.#size, (at, length) => this.#bytes(at, length))) {
      const found = this.#entryAt(at)
      if (found) return found
    }
    return undefined
  }

  #entryAt(at: number) {
    if (at + HEAD > this.#size) return undefined
    const head = this.#bytes(at, HEAD)
    const length = head.readUInt32LE(8)
    const end = at + HEAD + length
    if (head.readUInt32LE(0) !== MAGIC || end > this.#size) return undefined
    const payload = this.#bytes(at + HEAD, length)
    if (crc32(payload) !== head.readUInt32LE(12)) return undefined
    return { at, end, kind: head.readUInt32LE(4), payload }
  }

  #bytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readWhole(this.#fd, bytes, at))
  }
}
