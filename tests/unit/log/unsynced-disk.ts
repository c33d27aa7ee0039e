import type { Disk, LogFile } from '../../../src/log/disk.ts'

const PAGE = 512

interface Stored {
  /** Content for readers. */
  seen: Buffer
  /** Content that survives a power cut. */
  synced: Buffer
  /** Pages written since the last sync, in order. */
  pending: { at: number; bytes: Buffer }[]
}

export type Fault = 'write' | 'sync' | 'create' | null

/** A disk in memory with power cuts: each page written since the last sync may be lost or kept. */
export class UnsyncedDisk implements Disk {
  readonly files = new Map<string, Stored>()
  /** The next call of this kind fails, as on a broken or full disk. */
  fault: Fault = null
  /** The failure's system error code. */
  code = 'EIO'

  make = () => undefined
  free = () => Number.POSITIVE_INFINITY
  list = () => [...this.files.keys()]

  create(name: string): LogFile {
    this.#mayFail('create')
    if (this.files.has(name)) throw new Error(`${name} is there already`)
    this.files.set(name, { seen: Buffer.alloc(1), synced: Buffer.alloc(1), pending: [] })
    return this.open(name)
  }

  open(name: string): LogFile {
    const file = this.#file(name)
    const opened: LogFile = {
      write: (bytes, at) => {
        // A failed write may have written a part.
        const done = Buffer.from(this.fault === 'write' ? bytes.subarray(0, bytes.length >> 1) : bytes)
        file.seen = put(file.seen, done, at)
        for (let from = 0; from < done.length; ) {
          const until = Math.min(done.length, from + PAGE - ((at + from) % PAGE))
          file.pending.push({ at: at + from, bytes: done.subarray(from, until) })
          from = until
        }
        this.#mayFail('write')
      },
      extend: (to) => {
        if (to > file.seen.length) opened.write(Buffer.alloc(1), to - 1)
      },
      sync: () => {
        this.#mayFail('sync')
        file.synced = Buffer.from(file.seen)
        file.pending = []
      },
      zero: async (at, length) => {
        opened.write(Buffer.alloc(length), at)
        opened.sync()
      },
      read: (into, at) => (at >= file.seen.length ? 0 : file.seen.copy(into, 0, at)),
      size: () => file.seen.length,
      present: () => this.files.get(name) === file,
      close: () => undefined,
    }
    return opened
  }

  remove(name: string): void {
    this.#file(name)
    this.files.delete(name)
  }

  /** Simulates a power cut. @param keeps decides about each unsynced page, in the order of the writes @returns the disk after it */
  cut(keeps: () => boolean): UnsyncedDisk {
    const left = new UnsyncedDisk()
    for (const [name, { synced, pending }] of this.files) {
      let bytes: Buffer = Buffer.from(synced)
      for (const page of pending) if (keeps()) bytes = put(bytes, page.bytes, page.at)
      left.files.set(name, { seen: bytes, synced: Buffer.from(bytes), pending: [] })
    }
    return left
  }

  #file(name: string): Stored {
    const file = this.files.get(name)
    if (!file) throw Object.assign(new Error(`${name} is not there`), { code: 'ENOENT' })
    return file
  }

  #mayFail(what: Fault): void {
    if (this.fault !== what) return
    this.fault = null
    throw Object.assign(new Error(`the disk refused to ${what}`), { code: this.code })
  }
}

function put(into: Buffer, bytes: Buffer, at: number): Buffer {
  const size = Math.max(into.length, at + bytes.length)
  const grown = size > into.length ? Buffer.concat([into, Buffer.alloc(size - into.length)]) : into
  bytes.copy(grown, at)
  return grown
}
