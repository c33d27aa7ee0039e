import type { NewDelivery } from '#core/ports.ts'
import { measure, writeRecord } from './record.ts'

/** Deliveries of one event-loop turn in one memory block, which is handed over to the writer thread without a copy. */
export interface Batch {
  readonly bytes: ArrayBuffer
  readonly count: number
}

/** Each record stands behind its length (u32). */
export function packBatch(deliveries: readonly NewDelivery[]): Batch {
  const packed = deliveries.map(measure)
  const bytes = new ArrayBuffer(packed.reduce((sum, one) => sum + 4 + one.size, 0))
  const into = Buffer.from(bytes)
  let at = 0
  for (const one of packed) {
    into.writeUInt32LE(one.size, at)
    writeRecord(one, into, at + 4)
    at += 4 + one.size
  }
  return { bytes, count: packed.length }
}

/** The records of a batch, still packed. */
export function splitBatch(batch: Batch): Buffer[] {
  const bytes = Buffer.from(batch.bytes)
  const records: Buffer[] = []
  for (let at = 0; at < bytes.byteLength; ) {
    const size = bytes.readUInt32LE(at)
    records.push(bytes.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return records
}
