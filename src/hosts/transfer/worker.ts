import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf, refused } from '#contract/errors.ts'
import type { OpenExport, PreviewExport } from '#contract/transfer.ts'
import { type ImportFormat, opened as openedFile } from '#interop/imports/read.ts'
import type { Found, ImportFile } from '#interop/imports/record.ts'
import { type StoreFiles, sizeOf, storeFiles } from '#storage/disk/files.ts'
import { Exports } from '#storage/reader/exports.ts'
import { Reader } from '#storage/reader/reader.ts'
import { allowCut } from '#storage/session/session-file.ts'
import { sessionCounts } from '#storage/session/session-reader.ts'
import { expose, transfer } from '#threads/expose.ts'
import { rest, worked } from '#threads/garbage.ts'
import { type ExportTerms, exported, preview } from './exporting.ts'
import { inSession, Known } from './importing.ts'

/** MiB: an export reads almost everything once, in the order of the files. */
const CACHES = { captured: 1, derived: 2 }

let paths: StoreFiles | undefined
let reader: Reader | undefined

function opened(): Reader {
  if (!paths) throw refused('not-available', 'closing')
  reader ??= new Reader(paths, CACHES)
  return reader
}

/** Deliveries per message, and bytes of their bodies: few messages, and little memory. */
const BATCH = 50
const BATCH_BYTES = 1024 * 1024

export type ImportFileParams = Omit<ImportFile, 'pieces'> & { readonly path: string }

/** A delivery of a session file that is here already, with what users say about it there and not here. */
export interface KnownDelivery {
  readonly theirs: number
  readonly id: number
  readonly synthetic: boolean
  readonly note: string | null
  readonly tags: readonly string[]
  readonly pinned: boolean
}

/** What one message of an import carries. `found`: without duplicates. `memory`: of their bytes, but for large bodies. */
export interface ImportBatch {
  readonly format: ImportFormat
  readonly found: readonly Found[]
  readonly duplicates: number
  readonly memory: ArrayBuffer
  /** Numbers of what a session file holds besides deliveries; null for other formats. */
  readonly counts: ReturnType<typeof sessionCounts> | null
  readonly known: readonly KnownDelivery[]
}

/** Moves the bytes of all deliveries into one memory, to transfer: each would be copied else, with the pool in which it is. */
function inOneMemory(found: readonly Found[]): Pick<ImportBatch, 'found' | 'memory'> {
  const imported = found.flatMap((one) => ('imported' in one ? [one.imported.delivery] : []))
  const parts = imported.flatMap(({ body, answer }) => [body, ...(answer ? [answer.body] : [])])
  const isSmall = ({ length }: Uint8Array) => length <= BATCH_BYTES
  const memory = new ArrayBuffer(parts.filter(isSmall).reduce((sum, { length }) => sum + length, 0))
  let at = 0
  const moved = (bytes: Uint8Array): Uint8Array => {
    if (!isSmall(bytes)) return bytes
    const copy = new Uint8Array(memory, at, bytes.length)
    copy.set(bytes)
    at += bytes.length
    return copy
  }
  return {
    memory,
    found: found.map((one) => {
      if (!('imported' in one)) return one
      const { delivery } = one.imported
      const answer = delivery.answer && { ...delivery.answer, body: moved(delivery.answer.body) }
      return {
        ...one,
        imported: { ...one.imported, delivery: { ...delivery, body: moved(delivery.body), answer } },
      }
    }),
  }
}

async function* batches(
  { format, counts }: Pick<ImportBatch, 'format' | 'counts'>,
  all: AsyncIterable<Found> | Iterable<Found>,
): AsyncGenerator<ImportBatch> {
  const { statements } = opened()
  const here = new Known(statements, new Exports(opened()))
  let found: Found[] = []
  let known: KnownDelivery[] = []
  let duplicates = 0
  let bytes = 0
  const batch = (): ImportBatch => {
    const made = { format, counts, duplicates, known, ...inOneMemory(found) }
    found = []
    known = []
    duplicates = 0
    bytes = 0
    return transfer(made, made.memory)
  }
  try {
    for await (const one of all) {
      const id = 'imported' in one ? here.find(one.imported, one.theirs) : null
      if ('imported' in one && id !== null) {
        duplicates += 1
        const { theirs, imported } = one
        if (theirs !== undefined && id > 0)
          known.push({
            ...{ theirs, id, synthetic: imported.delivery.synthetic ?? false },
            note: statements.has`SELECT 1 FROM note WHERE delivery_id = ${id}` ? null : imported.note,
            tags: statements.has`SELECT 1 FROM tag WHERE delivery_id = ${id}` ? [] : imported.tags,
            pinned: imported.pinned,
          })
      } else found.push(one)
      if ('imported' in one) bytes += one.imported.delivery.body.length
      if (found.length >= BATCH || bytes >= BATCH_BYTES || duplicates >= 10 * BATCH) yield batch()
    }
    yield batch()
  } finally {
    here.close()
  }
}

/** A file that does not open has nothing; `inSession` reports it. */
function countsOf(path: string): ImportBatch['counts'] {
  try {
    return sessionCounts(path)
  } catch {
    return { attempts: 0, sweeps: 0 }
  }
}

function damageOf(path: string): string | null {
  try {
    using db = new DatabaseSync(path, { readOnly: true })
    const [found = ''] = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {}).map(String)
    return found === 'ok' ? null : found
  } catch (error) {
    return messageOf(error)
  }
}

function checkCopy(files: StoreFiles): { readonly deliveries: number; readonly bytes: number } {
  let bytes = 0
  for (const path of [files.captured, files.replays, files.sweeps]) {
    if (sizeOf(path) === 0) continue
    bytes += sizeOf(path)
    const found = damageOf(path)
    if (found !== null) throw new Error(`${basename(path)}: ${found}`)
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
      worked(1)
    })
    for await (const bytes of pieces) {
      yield transfer({ bytes, written }, bytes.buffer)
      rest()
    }
  },
  /** Yields what a file holds. */
  async *import({ path, ...file }: ImportFileParams) {
    const read: ImportFile = { ...file, pieces: () => createReadStream(path) }
    const { format, found } = await openedFile(read)
    if (!found) allowCut(path)
    const counts = found ? null : countsOf(path)
    yield* batches({ format, counts }, found ?? inSession(path, read))
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
