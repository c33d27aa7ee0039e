import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LogRecord } from '#core/ports.ts'
import { type Disk, folderOf } from '#log/disk.ts'
import { SegmentLog } from '#log/log.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { quotasOf } from '#storage/facade/budget.ts'
import { deliveryRecord } from '#storage/wire/record.ts'
import { Writer } from '#storage/writer/writer.ts'
import { members } from '#threads/expose.ts'
import { aDelivery } from './store.ts'

/** A writer behind a log, without threads: it files each append at once, unless the database refuses. */
export class FilingWriter {
  readonly writer: Writer
  readonly log: SegmentLog
  /** What the open of the database set aside. */
  readonly setAside: ReturnType<Writer['open']>
  readonly folder: string
  /** Calls that the writer made to its owner. */
  readonly told: unknown[][] = []

  constructor(folder: string, now = Date.now(), segmentBytes?: number, disk?: Disk) {
    this.folder = folder
    this.writer = new Writer(
      { folder, quotas: quotasOf(), now, absentUntil: now, mirrors: false },
      members((name, args) => {
        this.told.push([name, args])
        if (name === 'kept') this.log.trim(Number(args[0]))
      }),
    )
    this.setAside = this.writer.open(now)
    const { log } = storeFiles(folder)
    const size = segmentBytes === undefined ? {} : { segmentBytes }
    this.log = new SegmentLog(disk ?? folderOf(log), { ...this.writer.floor(), ...size })
    const { identity, place } = this.log
    this.writer.follow({ folder: log, identity, opened: place.position, lastId: place.id }, true)
    this.file()
  }

  /** @returns the ids of the records that are deliveries */
  append(...records: readonly LogRecord[]): number[] {
    const ids = this.log.append(records)
    this.file()
    return ids
  }

  deliver(...bodies: readonly string[]): number[] {
    const ids = this.deliverLater(...bodies)
    this.file()
    return ids
  }

  /** Appends deliveries to the log without filing them. */
  deliverLater(...bodies: readonly string[]): number[] {
    return this.log.append(bodies.map((body) => deliveryRecord(aDelivery({ body }))))
  }

  file(): void {
    this.writer.synced(this.log.place)
    while (this.writer.file() !== null);
  }

  recover(): void {
    this.writer.recover()
    this.file()
  }

  /** Runs `work` while captured.db refuses every write, as during another program's long transaction. */
  locked(work: () => unknown): void {
    using db = new DatabaseSync(join(this.folder, 'captured.db'))
    db.exec('BEGIN IMMEDIATE')
    work()
  }

  /** Simulates the end of the process: connections close without any other step. */
  kill(): void {
    this.writer.captured.db.close()
    this.log.close()
  }

  /** @returns the bodies in the database */
  close(): string[] {
    this.writer.close()
    this.log.close()
    using db = new DatabaseSync(join(this.folder, 'captured.db'), { readOnly: true })
    return bodiesIn(db)
  }
}

/** @returns the bodies by delivery id */
export function bodiesIn(db: DatabaseSync): string[] {
  return db
    .prepare('SELECT CAST(body AS TEXT) AS body FROM payload ORDER BY delivery_id')
    .all()
    .map(({ body }) => String(body))
}

export function packed({ kind, numbered, size, write }: LogRecord) {
  const bytes = Buffer.alloc(size)
  write(bytes, 0)
  return { kind, numbered, bytes }
}
