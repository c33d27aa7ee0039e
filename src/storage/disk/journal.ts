import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivate, syncFolder } from './files.ts'

/** The spill journal. An entry: "ACJ1", by which the next one behind a damaged one is found, kind, length, CRC-32 (u32 each), payload. */
const MAGIC = 0x31_4a_43_41
const HEAD = 16
const NAME = /^spill-(\d+)\.journal$/

export type Entry =
  | { readonly type: 'delivery'; readonly record: Buffer }
  | { readonly type: 'chunk'; readonly upload: string; readonly seq: number; readonly bytes: Buffer }

/** Journals left in a folder, oldest first. */
export function journalsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((name) => join(folder, name))
}

/** The number in the name or path of a journal, by which the older one is known; 0 for what is none. */
export function numberOf(name: string): number {
  return Number(NAME.exec(name.slice(name.lastIndexOf('spill-')))?.[1] ?? 0)
}

export class Journal {
  readonly path: string
  readonly #fd: number
  #length: number
  #entries = 0
  #torn = false

  private constructor(path: string, fd: number) {
    this.path = path
    this.#fd = fd
    this.#length = fstatSync(fd).size
  }

  /** @throws the file system's error */
  static create(folder: string, number: number): Journal {
    const path = join(folder, `spill-${number}.journal`)
    const fd = openSync(path, 'ax', 0o600)
    chmodSync(path, 0o600)
    syncFolder(path)
    return new Journal(path, fd)
  }

  get entries(): number {
    return this.#entries
  }

  /** Returns once all entries are on the disk. Fails as a whole, since the sender gets a refusal. @throws the file system's error */
  append(entries: readonly Entry[]): void {
    try {
      for (const entry of entries) this.#write(frame(entry))
      fsyncSync(this.#fd)
    } catch (error) {
      this.#cutBack()
      throw error
    }
    this.#length = fstatSync(this.#fd).size
    this.#entries += entries.length
  }

  /** True when a failed append could not be cut off again: nothing more may go behind it. */
  get torn(): boolean {
    return this.#torn
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** Half an entry must not stay at the end; where it cannot be cut off, the journal is torn and takes no more. */
  #cutBack(): void {
    try {
      ftruncateSync(this.#fd, this.#length)
    } catch {
      this.#torn = true
    }
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(this.#fd, bytes, done)
  }
}

function frame(entry: Entry): Buffer {
  const payload =
    entry.type === 'delivery'
      ? entry.record
      : Buffer.concat([Buffer.from(`${entry.upload}\n${entry.seq}\n`), entry.bytes])
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(MAGIC, 0)
  head.writeUInt32LE(entry.type === 'delivery' ? 0 : 1, 4)
  head.writeUInt32LE(payload.byteLength, 8)
  head.writeUInt32LE(crc32(payload), 12)
  return Buffer.concat([head, payload])
}

/** Entries of a journal with the place behind each. Skips what is damaged and tells so. */
export class JournalReader {
  readonly #fd: number
  readonly #size: number
  #at: number
  /** True when bytes had to be skipped that sound entries follow: the rest of a torn last write is no damage. */
  damaged = false

  /** @throws Error when it is no ordinary file; the file system's error */
  constructor(path: string, from: number) {
    makePrivate(path)
    this.#fd = openSync(path, 'r')
    this.#size = fstatSync(this.#fd).size
    this.#at = from
  }

  /** The place behind the last entry given. */
  get at(): number {
    return this.#at
  }

  next(): Entry | undefined {
    const here = this.#entryAt(this.#at)
    if (here) {
      this.#at = here.end
      return here.entry
    }
    const found = this.#search(this.#at + 1)
    if (!found) return undefined
    this.damaged = true
    this.#at = found.end
    return found.entry
  }

  close(): void {
    closeSync(this.#fd)
  }

  #search(from: number): { entry: Entry; end: number } | undefined {
    const magic = Buffer.alloc(4)
    magic.writeUInt32LE(MAGIC)
    const step = 65_536
    for (let at = from; at < this.#size; at += step) {
      // Three bytes of overlap: the magic may lie across two windows.
      const window = this.#read(at, Math.min(step + 3, this.#size - at))
      for (let i = window.indexOf(magic); i >= 0 && i < step; i = window.indexOf(magic, i + 1)) {
        const found = this.#entryAt(at + i)
        if (found) return found
      }
    }
    return undefined
  }

  #entryAt(at: number): { entry: Entry; end: number } | undefined {
    if (at + HEAD > this.#size) return undefined
    const head = this.#read(at, HEAD)
    const length = head.readUInt32LE(8)
    const end = at + HEAD + length
    if (head.readUInt32LE(0) !== MAGIC || end > this.#size) return undefined
    const payload = this.#read(at + HEAD, length)
    if (crc32(payload) !== head.readUInt32LE(12)) return undefined
    return { entry: parse(head.readUInt32LE(4), payload), end }
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    let done = 0
    while (done < length) {
      const got = readSync(this.#fd, bytes, done, length - done, at + done)
      if (got === 0) break
      done += got
    }
    return bytes.subarray(0, done)
  }
}

function parse(kind: number, payload: Buffer): Entry {
  if (kind === 0) return { type: 'delivery', record: payload }
  const first = payload.indexOf(10)
  const second = payload.indexOf(10, first + 1)
  return {
    type: 'chunk',
    upload: payload.subarray(0, first).toString(),
    seq: Number(payload.subarray(first + 1, second).toString()),
    bytes: payload.subarray(second + 1),
  }
}
