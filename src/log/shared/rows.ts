import { crc32 } from 'node:zlib'
import type { LogRecord } from '#core/ports.ts'

/** A record with the key that makes it unique in the shared log, however often it is sent. */
export interface KeyedRecord {
  /** The run of the receiver that gave `seq`. */
  readonly origin: string
  readonly seq: number
  /** Days since 1970-01-01, UTC, of the first attempt to store the record. */
  readonly day: number
  readonly kind: number
  readonly numbered: boolean
  readonly payload: Buffer
}

export const DAY_MS = 86_400_000
/** PostgreSQL counts days from 2000-01-01. */
const POSTGRES_DAY = 10_957

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export function payloadOf({ size, write }: LogRecord): Buffer {
  const payload = Buffer.alloc(size)
  write(payload, 0)
  return payload
}

const COLUMNS = 7
const SIGNATURE = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
/** The end of the rows, and the message CopyDone. */
const END = Buffer.from([0xff, 0xff, 0x63, 0, 0, 0, 4])
/** Bytes of the message CopyData before its data: its letter and the length of the rest. */
const MESSAGE_HEAD = 5
/** Bytes of a row besides its payload: the count, seven lengths and six fields. */
const ROW_HEAD = 2 + COLUMNS * 4 + 8 + 4 + 16 + 8 + 4 + 8

/**
 * The messages CopyData and CopyDone of PostgreSQL's protocol, with rows of `acuse.record` in the binary format of COPY.
 * @param places one for each record
 */
export function copyMessages(records: readonly KeyedRecord[], places: readonly bigint[]): Buffer {
  const payloads = records.reduce((sum, { payload }) => sum + payload.byteLength, 0)
  const dataEnd = MESSAGE_HEAD + SIGNATURE.length + records.length * ROW_HEAD + payloads + 2
  const messages = Buffer.allocUnsafe(dataEnd + MESSAGE_HEAD)
  let at = messages.writeUInt8(0x64, 0)
  at = messages.writeInt32BE(dataEnd - 1, at)
  at += SIGNATURE.copy(messages, at)
  for (const [index, { origin, seq, day, kind, payload }] of records.entries()) {
    at = messages.writeInt16BE(COLUMNS, at)
    at = messages.writeInt32BE(8, at)
    at = messages.writeBigInt64BE(places[index] ?? 0n, at)
    at = messages.writeInt32BE(4, at)
    at = messages.writeInt32BE(day - POSTGRES_DAY, at)
    at = messages.writeInt32BE(16, at)
    at += messages.write(origin.replaceAll('-', ''), at, 'hex')
    at = messages.writeInt32BE(8, at)
    at = messages.writeBigInt64BE(BigInt(seq), at)
    at = messages.writeInt32BE(4, at)
    at = messages.writeInt32BE(kind, at)
    at = messages.writeInt32BE(8, at)
    at = messages.writeBigInt64BE(BigInt(crc32(payload)), at)
    at = messages.writeInt32BE(payload.byteLength, at)
    at += payload.copy(messages, at)
  }
  END.copy(messages, at)
  return messages
}

/** Size of the head that a record has in a spill. */
const SPILL_HEAD = 16 + 8 + 4 + 4 + 1

/** The record as a spill keeps it: its key, then its payload. */
export function spilled({ origin, seq, day, kind, numbered, payload }: KeyedRecord): LogRecord {
  return {
    kind: 1,
    numbered: false,
    size: SPILL_HEAD + payload.byteLength,
    write(into, at) {
      const head = Buffer.alloc(SPILL_HEAD)
      head.write(origin.replaceAll('-', ''), 0, 'hex')
      head.writeDoubleLE(seq, 16)
      head.writeInt32LE(day, 24)
      head.writeInt32LE(kind, 28)
      head.writeUInt8(numbered ? 1 : 0, 32)
      into.set(head, at)
      into.set(payload, at + SPILL_HEAD)
    },
  }
}

/** @param bytes valid only until the next read, so the payload is copied */
export function unspilled(bytes: Uint8Array): KeyedRecord {
  const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hex = from.toString('hex', 0, 16)
  return {
    origin: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    seq: from.readDoubleLE(16),
    day: from.readInt32LE(24),
    kind: from.readInt32LE(28),
    numbered: from.readUInt8(32) === 1,
    payload: Buffer.from(from.subarray(SPILL_HEAD)),
  }
}
