import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { PAGE_SIZE } from '../sql/connection.ts'

/* The parts of SQLite's file format (sqlite.org/fileformat2.html) that reading rows from single pages needs. */
const FILE_HEADER = 100
/** Offset of `user_version` in the file header. */
const SCHEMA_VERSION = 60
const LOG_HEADER = 32
const FRAME_HEADER = 24
const LOG_MAGIC = 0x37_7f_06_82
const TABLE_LEAF = 0x0d
const INDEX_LEAF = 0x0a
const INDEX_INTERIOR = 0x02
/** Bytes of a row in its own page: at most, and at least when the row overflows. */
const LOCAL_MOST = PAGE_SIZE - 35
const LOCAL_LEAST = Math.floor(((PAGE_SIZE - 12) * 32) / 255) - 23

export type Value = number | string | Buffer | null

export interface DamagedRow {
  /** Null in an index and in a table without row ids. */
  readonly id: number | null
  readonly values: readonly Value[]
}

/**
 * The pages of a database set aside; pages of its write-ahead log replace those of the file. It reads rows from single pages, without tree
 * or schema, so a damaged page costs no rows of other pages. Deleted rows do not come back, since `secure_delete` overwrote them.
 */
export class DamagedPages {
  readonly #files: number[] = []
  readonly #file: number | undefined
  readonly #log: number | undefined
  /** Offset in the log of the newest committed version of a page. */
  readonly #logged = new Map<number, number>()
  /** Number of the last page; the first is 1. */
  readonly last: number

  /** @throws the file system's error */
  constructor(path: string) {
    this.#file = this.#open(path)
    this.#log = this.#open(`${path}-wal`)
    if (this.#log !== undefined) this.#readLog(this.#log)
    let last = this.#file === undefined ? 0 : Math.ceil(fstatSync(this.#file).size / PAGE_SIZE)
    for (const page of this.#logged.keys()) last = Math.max(last, page)
    this.last = last
  }

  close(): void {
    for (const fd of this.#files.splice(0)) closeSync(fd)
  }

  /** The schema version in the first page; null when its value is impossible. */
  get schema(): number | null {
    const version = this.#page(1).readUInt32BE(SCHEMA_VERSION)
    return version > 0 && version < 1_000 ? version : null
  }

  /** @returns the readable rows of a page; empty for a page without rows */
  rows(number: number): DamagedRow[] {
    const page = this.#page(number)
    const start = number === 1 ? FILE_HEADER : 0
    const type = page[start]
    if (type !== TABLE_LEAF && type !== INDEX_LEAF && type !== INDEX_INTERIOR) return []
    const pointers = start + (type === INDEX_INTERIOR ? 12 : 8)
    const count = page.readUInt16BE(start + 3)
    const rows: DamagedRow[] = []
    for (let at = pointers; at < pointers + count * 2 && at + 2 <= PAGE_SIZE; at += 2) {
      const row = this.#row(page, page.readUInt16BE(at), type)
      if (row) rows.push(row)
    }
    return rows
  }

  #row(page: Buffer, start: number, type: number): DamagedRow | undefined {
    try {
      const length = varint(page, type === INDEX_INTERIOR ? start + 4 : start)
      const id = type === TABLE_LEAF ? varint(page, length.end) : { value: null, end: length.end }
      const values = decode(this.#content(page, id.end, length.value))
      return values && { id: id.value, values }
    } catch {
      // The offset is beyond the end of the page, or the length impossible.
      return undefined
    }
  }

  /** @throws RangeError when the row is longer than its pages */
  #content(page: Buffer, at: number, length: number): Buffer {
    if (length <= LOCAL_MOST) return slice(page, at, length)
    const spread = LOCAL_LEAST + ((length - LOCAL_LEAST) % (PAGE_SIZE - 4))
    const local = spread <= LOCAL_MOST ? spread : LOCAL_LEAST
    const parts = [slice(page, at, local)]
    let next = page.readUInt32BE(at + local)
    for (let left = length - local; left > 0; left -= PAGE_SIZE - 4) {
      if (next < 1 || next > this.last) throw new RangeError('the row goes on in no page')
      const part = this.#page(next)
      parts.push(slice(part, 4, Math.min(left, PAGE_SIZE - 4)))
      next = part.readUInt32BE(0)
    }
    return Buffer.concat(parts)
  }

  #page(number: number): Buffer {
    const page = Buffer.alloc(PAGE_SIZE)
    const logged = this.#logged.get(number)
    if (logged !== undefined && this.#log !== undefined) readSync(this.#log, page, 0, PAGE_SIZE, logged)
    else if (this.#file !== undefined) readSync(this.#file, page, 0, PAGE_SIZE, (number - 1) * PAGE_SIZE)
    return page
  }

  #open(path: string): number | undefined {
    // A symbolic link is set aside as a link; the user who asks for salvage means its target.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
    const fd = openSync(path, 'r')
    this.#files.push(fd)
    return fd
  }

  /** Reads the frames of the current log up to the last commit. It ignores checksums: one bad frame must not cost the later ones. */
  #readLog(fd: number): void {
    const { size } = fstatSync(fd)
    const head = Buffer.alloc(LOG_HEADER)
    readSync(fd, head, 0, LOG_HEADER, 0)
    const sound = (head.readUInt32BE(0) & ~1) === LOG_MAGIC
    if (sound && head.readUInt32BE(8) !== PAGE_SIZE) return
    let salt = sound ? head.readBigUInt64BE(16) : undefined
    const frame = Buffer.alloc(FRAME_HEADER)
    let open: [page: number, place: number][] = []
    for (let at = LOG_HEADER; at + FRAME_HEADER + PAGE_SIZE <= size; at += FRAME_HEADER + PAGE_SIZE) {
      readSync(fd, frame, 0, FRAME_HEADER, at)
      salt ??= frame.readBigUInt64BE(8)
      if (frame.readBigUInt64BE(8) !== salt) continue
      open.push([frame.readUInt32BE(0), at + FRAME_HEADER])
      if (frame.readUInt32BE(4) === 0) continue
      for (const [page, place] of open) this.#logged.set(page, place)
      open = []
    }
  }
}

function slice(page: Buffer, at: number, length: number): Buffer {
  if (at + length > page.length) throw new RangeError('the row ends behind its page')
  return page.subarray(at, at + length)
}

/** @throws RangeError beyond the end */
function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes.readUInt8(at + i)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: at + i + 1 }
  }
  return { value: value * 256 + bytes.readUInt8(at + 8), end: at + 9 }
}

/** Values of a record; undefined when their lengths do not add up to its length. Random bytes hardly ever pass this test. */
function decode(record: Buffer): Value[] | undefined {
  const head = varint(record, 0)
  const values: Value[] = []
  let body = head.value
  for (let at = head.end; at < head.value; ) {
    const type = varint(record, at)
    const length = lengthOf(type.value)
    values.push(readValue(type.value, slice(record, body, length)))
    body += length
    at = type.end
  }
  return body === record.length ? values : undefined
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
const lengthOf = (type: number): number => INTEGER_BYTES[type] ?? (type - (type % 2 === 0 ? 12 : 13)) / 2

function readValue(type: number, bytes: Buffer): Value {
  if (type === 0) return null
  if (type === 7) return bytes.readDoubleBE()
  if (type === 6) return Number(bytes.readBigInt64BE())
  if (type < 7) return bytes.readIntBE(0, bytes.length)
  if (type < 10) return type - 8
  return type % 2 === 0 ? bytes : bytes.toString('utf8')
}
