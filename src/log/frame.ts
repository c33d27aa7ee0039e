import { crc32 } from 'node:zlib'
import type { LogPlace, LogRecord } from '#core/ports.ts'

/**
 * A record in a segment:
 *   0 u32 magic | 4 u32 CRC-32 of the bytes from 8 on | 8 u32 payload length | 12 u32 kind | 16 f64 epoch | 24 f64 position | 32 f64 id |
 *  40 f64 synced | 48 payload.
 */
export interface Frame {
  /** Type of the payload, defined by the writer of the record. */
  readonly kind: number
  /** Rises with each open of the log and each reuse of a segment, so that an old frame is never taken for a new one. */
  readonly epoch: number
  /** Counts all records from 1, without a gap. */
  readonly position: number
  /** Counts the numbered records from 1, without a gap; other records have the id of the last numbered one. */
  readonly id: number
  /** Position up to which all records were on the disk, or known as missing, before the write that contains this record. */
  readonly synced: number
  readonly payload: Buffer
}

export const MAGIC = 0x31_4c_43_41
export const HEAD = 48
/** Longest payload in bytes: appends refuse a longer one, and reads take it for damage. */
export const LONGEST = 16 * 1024 * 1024

/** Bytes of the records as frames. @throws RangeError for a record beyond LONGEST */
export function framedSize(records: readonly LogRecord[]): number {
  let bytes = 0
  for (const { size } of records) {
    if (size > LONGEST) throw new RangeError(`A record has at most ${LONGEST} bytes.`)
    bytes += HEAD + size
  }
  return bytes
}

/** Writes records as frames that lack what only the log's own thread knows; `complete` adds that. @param into of at least `framedSize` */
export function frame(records: readonly LogRecord[], into: Buffer): void {
  let at = 0
  for (const { kind, numbered, size, write } of records) {
    into.writeUInt32LE(numbered ? 1 : 0, at + 4)
    into.writeUInt32LE(size, at + 8)
    into.writeUInt32LE(kind, at + 12)
    write(into, at + HEAD)
    at += HEAD + size
  }
}

/** Start value of a log's checksums: random, so that a sender cannot imitate a frame. @param firstEpoch of the log */
const seedOf = (firstEpoch: number): number => firstEpoch % 2 ** 32

/**
 * Gives the frames their places behind `last`. @param frames from `frame` @param firstEpoch of the log
 * @returns the place of the last one
 */
export function complete(frames: Buffer, firstEpoch: number, epoch: number, last: LogPlace): LogPlace {
  let { position, id } = last
  for (let at = 0; at < frames.byteLength; ) {
    const end = at + HEAD + frames.readUInt32LE(at + 8)
    position += 1
    id += frames.readUInt32LE(at + 4)
    frames.writeUInt32LE(MAGIC, at)
    frames.writeDoubleLE(epoch, at + 16)
    frames.writeDoubleLE(position, at + 24)
    frames.writeDoubleLE(id, at + 32)
    frames.writeDoubleLE(last.position, at + 40)
    frames.writeUInt32LE(crc32(frames.subarray(at + 8, end), seedOf(firstEpoch)), at + 4)
    at = end
  }
  return { position, id }
}

/** @returns the length of the payload by its head; undefined when the bytes are no head */
export function announced(head: Buffer): number | undefined {
  if (head.byteLength < HEAD || head.readUInt32LE(0) !== MAGIC) return undefined
  const length = head.readUInt32LE(8)
  return length <= LONGEST ? length : undefined
}

export const epochIn = (head: Buffer): number => head.readDoubleLE(16)
export const positionIn = (head: Buffer): number => head.readDoubleLE(24)

/** @returns undefined when the bytes are no complete frame, or fail the checksum of the log with this first epoch */
export function readFrame(head: Buffer, payload: Buffer, firstEpoch: number): Frame | undefined {
  if (announced(head) !== payload.byteLength) return undefined
  const sum = crc32(payload, crc32(head.subarray(8, HEAD), seedOf(firstEpoch)))
  if (sum !== head.readUInt32LE(4)) return undefined
  return {
    kind: head.readUInt32LE(12),
    epoch: epochIn(head),
    position: positionIn(head),
    id: head.readDoubleLE(32),
    synced: head.readDoubleLE(40),
    payload,
  }
}
