import { createReadStream } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { refused } from '#contract/errors.ts'
import type { OpenExport, PreviewExport } from '#contract/transfer.ts'
import type { Found, ImportFile } from '#interop/delivery.ts'
import { formatOf, type ImportFormat, READERS } from '#interop/imports/read.ts'
import { type StoreFiles, sizeOf, storeFiles } from '#storage/disk/files.ts'
import { Exports } from '#storage/reader/exports.ts'
import { Reader } from '#storage/reader/reader.ts'
import { expose, transfer } from '#threads/expose.ts'
import { type ExportTerms, exported, preview } from './exporting.ts'
import { inSession, Known } from './importing.ts'

/** MiB: an export reads almost everything once, in the order of the files. */
const CACHES = { captured: 1, derived: 4 }

let paths: StoreFiles | undefined
let reader: Reader | undefined

function opened(): Reader {
  if (!paths) throw refused('not-available', 'closing')
  reader ??= new Reader(paths, CACHES)
  return reader
}

/** Deliveries per message, and bytes of their bodies: few messages, and little memory. */
const BATCH = 200
const BATCH_BYTES = 4 * 1024 * 1024

export type ImportFileParams = Omit<ImportFile, 'pieces'> & { readonly path: string }

/** What one message of an import carries. `read`: what it found, without duplicates. */
export interface ImportBatch {
  readonly format: ImportFormat
  readonly found: readonly Found[]
  readonly duplicates: number
}

async function* batches(
  format: ImportFormat,
  all: AsyncIterable<Found> | Iterable<Found>,
): AsyncGenerator<ImportBatch> {
  const known = new Known(opened().statements, new Exports(opened()))
  let found: Found[] = []
  let duplicates = 0
  let bytes = 0
  const batch = (): ImportBatch => {
    const made = { format, found, duplicates }
    found = []
    duplicates = 0
    bytes = 0
    return made
  }
  try {
    for await (const one of all) {
      if ('imported' in one && !known.isNew(one.imported, format === 'session')) duplicates += 1
      else found.push(one)
      if ('imported' in one) bytes += one.imported.delivery.body.length
      if (found.length >= BATCH || bytes >= BATCH_BYTES || duplicates >= 10 * BATCH) yield batch()
    }
    yield batch()
  } finally {
    known.close()
  }
}

function checkCopy(files: StoreFiles): { readonly deliveries: number; readonly bytes: number } {
  let bytes = 0
  for (const path of [files.captured, files.replays, files.sweeps]) {
    if (sizeOf(path) === 0) continue
    bytes += sizeOf(path)
    using db = new DatabaseSync(path, { readOnly: true })
    const [found = ''] = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {}).map(String)
    if (found !== 'ok') throw new Error(found)
  }
  using db = new DatabaseSync(files.captured, { readOnly: true })
  return { deliveries: Number(db.prepare('SELECT count(*) AS n FROM delivery').get()?.n), bytes }
}

const handlers = {
  open(files: StoreFiles): void {
    paths = files
  },
  preview: (params: PreviewExport, names: readonly string[]) => preview(new Exports(opened()), params, names),
  count: (source: OpenExport['source']) => new Exports(opened()).count(source),
  /** Yields the file's bytes, with the number of deliveries written so far. */
  async *export(params: OpenExport, terms: ExportTerms) {
    let written = 0
    const pieces = exported(new Exports(opened()), params, terms, () => {
      written += 1
    })
    for await (const bytes of pieces) yield transfer({ bytes, written }, bytes.buffer)
  },
  /** Yields what a file holds. */
  async *import({ path, ...file }: ImportFileParams) {
    const read: ImportFile = { ...file, pieces: () => createReadStream(path) }
    const format = await formatOf(read)
    yield* batches(format, format === 'session' ? inSession(path, read) : READERS[format](read))
  },
  /** Reads a copy whole. @throws Error with what SQLite finds wrong */
  checkCopy: (folder: string) => checkCopy(storeFiles(folder)),
  release(): void {
    reader?.close()
    reader = undefined
  },
  reopen(): void {},
  async close(): Promise<void> {
    reader?.close()
    reader = undefined
    paths = undefined
  },
}

export type TransferHandlers = typeof handlers
expose(handlers)
