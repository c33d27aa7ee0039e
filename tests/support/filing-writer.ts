import type { LogRecord } from '#core/ports.ts'
import { folderOf } from '#log/disk.ts'
import { type NewRecord, SegmentLog } from '#log/log.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { quotasOf } from '#storage/facade/budget.ts'
import { deliveryRecord } from '#storage/wire/record.ts'
import { Writer } from '#storage/writer/writer.ts'
import { members } from '#threads/expose.ts'
import { aDelivery } from './store.ts'

/** The writer behind a log, without threads: what is appended is filed at once, as far as the database takes it. */
export class FilingWriter {
  readonly writer: Writer
  readonly log: SegmentLog

  /** @param told gets what the writer tells */
  constructor(folder: string, told: unknown[][] = [], now = Date.now()) {
    this.writer = new Writer(
      { folder, quotas: quotasOf(), now },
      members((name, args) => {
        told.push([name, args])
        if (name === 'kept') this.log.trim(Number(args[0]))
      }),
    )
    this.writer.open(now)
    const { log } = storeFiles(folder)
    this.log = new SegmentLog(folderOf(log), this.writer.floor())
    const { identity, place } = this.log
    this.writer.follow({ folder: log, identity, opened: place.position, lastId: place.id }, true)
    this.file()
  }

  /** @returns the ids of the deliveries among them */
  append(...records: readonly LogRecord[]): number[] {
    const ids = this.log.append(records.map(packed))
    this.file()
    return ids
  }

  deliver(...bodies: readonly string[]): number[] {
    return this.append(...bodies.map((body) => deliveryRecord(aDelivery({ body }))))
  }

  file(): void {
    this.writer.synced(this.log.place)
    while (this.writer.file() !== null);
  }

  recover(): void {
    this.writer.recover()
    this.file()
  }

  close(): void {
    this.writer.close()
    this.log.close()
  }
}

interface Packed extends NewRecord {
  readonly bytes: Buffer
}

export function packed({ kind, numbered, size, write }: LogRecord): Packed {
  const bytes = Buffer.alloc(size)
  write(bytes, 0)
  return { kind, numbered, bytes }
}
