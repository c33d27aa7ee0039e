import { crc32 } from 'node:zlib'

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

/** Writes the head of a frame; the payload follows it in the file. */
export function writeHead(into: Buffer, at: number, frame: Frame): void {
  into.writeUInt32LE(MAGIC, at)
  into.writeUInt32LE(frame.payload.byteLength, at + 8)
  into.writeUInt32LE(frame.kind, at + 12)
  into.writeDoubleLE(frame.epoch, at + 16)
  into.writeDoubleLE(frame.position, at + 24)
  into.writeDoubleLE(frame.id, at + 32)
  into.writeDoubleLE(frame.synced, at + 40)
  into.writeUInt32LE(crc32(frame.payload, crc32(into.subarray(at + 8, at + HEAD))), at + 4)
}

/** @returns the length of the payload by its head; undefined when the bytes are no head */
export function announced(head: Buffer): number | undefined {
  if (head.byteLength < HEAD || head.readUInt32LE(0) !== MAGIC) return undefined
  const length = head.readUInt32LE(8)
  return length <= LONGEST ? length : undefined
}

export const epochIn = (head: Buffer): number => head.readDoubleLE(16)
export const positionIn = (head: Buffer): number => head.readDoubleLE(24)

/** @returns undefined when the bytes are no complete frame, or fail the checksum */
export function readFrame(head: Buffer, payload: Buffer): Frame | undefined {
  if (announced(head) !== payload.byteLength) return undefined
  if (crc32(payload, crc32(head.subarray(8, HEAD))) !== head.readUInt32LE(4)) return undefined
  return {
    kind: head.readUInt32LE(12),
    epoch: epochIn(head),
    position: positionIn(head),
    id: head.readDoubleLE(32),
    synced: head.readDoubleLE(40),
    payload,
  }
}
