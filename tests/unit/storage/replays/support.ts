import type { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Forward, JobOptions, ReplaySource } from '#contract/replay.ts'
import type {
  EndedAttempt,
  Item,
  ItemEnd,
  JobRecord,
  Ledger,
  NewAttempt,
  Outcome,
  Selected,
} from '#core/replay/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openLedger, type SqliteLedger } from '#storage/replays/ledger.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { DERIVED_SCHEMA } from '#storage/schema/derived.ts'
import { MARK_BITS } from '#storage/sql/columns.ts'
import { openForWriting } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import { aForward } from '../../../support/records.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

interface Planted {
  readonly id: number
  readonly receivedAt?: number
  readonly documentKey?: string | null
  readonly rejected?: boolean
  readonly malformed?: string
  readonly replay?: boolean
  readonly endpoint?: string
  readonly size?: number
  readonly unjudged?: boolean
}

/** Both databases of a folder, open for direct writes, for tests of what the ledger does with the rows. */
export class Captured implements Disposable {
  readonly folder: string
  readonly captured: DatabaseSync
  readonly derived: DatabaseSync

  constructor(folder = tempFolder()) {
    const files = storeFiles(folder)
    this.folder = folder
    this.captured = openForWriting(files.captured, 500)
    migrate(this.captured, files.captured, CAPTURED_MIGRATIONS)
    this.derived = openForWriting(files.derived, 500)
    this.derived.exec(DERIVED_SCHEMA)
  }

  plant(rows: Iterable<Planted>): this {
    const delivery = this.captured.prepare(
      `INSERT INTO delivery (id, received_at, receiving_us, endpoint, method, url, http_version, remote_address, remote_port, size,
       stored_bytes, rejected, malformed) VALUES (?, ?, 0, ?, 'POST', '/hooks?x=1', '1.1', '::1', 1, ?, ?, ?, ?)`,
    )
    const payload = this.captured.prepare('INSERT INTO payload (delivery_id, headers, body) VALUES (?, ?, ?)')
    const analysis = this.derived.prepare(
      `INSERT INTO analysis (delivery_id, document_key, verdict, finding_count, marks, endpoint) VALUES (?, ?, 0, 0, ?, ?)`,
    )
    for (const db of [this.captured, this.derived]) db.exec('BEGIN')
    for (const row of rows) {
      const { id, receivedAt = id * 1_000, endpoint = 'default', size = 2, rejected = false } = row
      delivery.run(id, receivedAt, endpoint, size, size, Number(rejected), row.malformed ?? null)
      payload.run(id, Buffer.from('Host\nlocalhost'), Buffer.alloc(size, 'x'))
      if (!row.unjudged)
        analysis.run(id, row.documentKey ?? null, row.replay ? MARK_BITS.replay : 0, endpoint)
    }
    for (const db of [this.captured, this.derived]) db.exec('COMMIT')
    return this
  }

  delete(...ids: readonly number[]): void {
    for (const id of ids) {
      this.captured.prepare('DELETE FROM delivery WHERE id = ?').run(id)
      this.captured.prepare('DELETE FROM payload WHERE delivery_id = ?').run(id)
    }
    this.captured.exec(
      "INSERT INTO meta VALUES ('deletions', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1",
    )
  }

  [Symbol.dispose](): void {
    this.captured.close()
    this.derived.close()
  }
}

export function captured(count: number, folder?: string): Captured {
  const made = new Captured(folder)
  onTestFinished(() => made[Symbol.dispose]())
  return made.plant(Array.from({ length: count }, (_, i) => ({ id: i + 1 })))
}

/** Opens a ledger; a warning fails the test. */
export function ledgerIn(folder: string, warn = (message: string): void => raise(message)): SqliteLedger {
  const ledger = openLedger({ paths: storeFiles(folder), warn })
  onTestFinished(() => ledger.close())
  return ledger
}

/** Captures deliveries 1 to `count` and opens a ledger over them. */
export function ledgerOver(count: number) {
  const store = captured(count)
  return { store, folder: store.folder, ledger: ledgerIn(store.folder) }
}

const JOB: JobOptions = { ...DEFAULT_JOB_OPTIONS, to: { target: 'local' } }
export const options = (change: Partial<JobOptions> = {}): JobOptions => ({ ...JOB, ...change })

export const everything = { type: 'filter', filter: '' } as const

export const forward = (change: Partial<Forward> = {}): Forward =>
  aForward({ name: 'to-erp', targets: ['local'], ...change })

export function attempt(id: number, change: Partial<NewAttempt> = {}): NewAttempt {
  return {
    id,
    item: null,
    deliveryId: 1,
    origin: { by: 'hand' },
    target: 'local',
    method: 'POST',
    url: 'http://127.0.0.1:8080/hooks?x=1',
    startedAt: 1_000_000 + id,
    headers: ['Host', '127.0.0.1:8080', 'X-Acuse-Replay', String(id)],
    secretNames: [],
    bodySize: 2,
    editedBody: null,
    edited: false,
    again: false,
    tryNumber: 1,
    ...change,
  }
}

export const attemptOf = (id: number, item: Item, change: Partial<NewAttempt> = {}): NewAttempt =>
  attempt(id, {
    item: { lane: item.lane, seq: item.seq },
    deliveryId: item.deliveryId,
    origin: { by: 'job', job: item.lane },
    again: item.again,
    tryNumber: item.tries + 1,
    ...change,
  })

export function outcome(status: number | null = 200, body = '{"ok":true}'): Outcome {
  const bytes = new TextEncoder().encode(body)
  const headers = ['Content-Type', 'application/json', 'X-Ñ', '']
  const refused = { code: 'connection-refused', message: 'Nobody listens.', params: { port: 1 } } as const
  return {
    answer:
      status === null ? null : { status, statusText: 'OK', headers, body: bytes, size: bytes.byteLength },
    error: status === null ? refused : null,
    timings: { lookupUs: null, connectUs: 90, tlsUs: null, sendUs: 5, waitUs: 400, receiveUs: 8 },
    address: '127.0.0.1:8080',
    reusedConnection: false,
    tookUs: 512,
  }
}

export function ended(begun: NewAttempt, end: ItemEnd = 'done', status: number | null = 200): EndedAttempt {
  return {
    id: begun.id,
    outcome: outcome(status),
    ok: status !== null && status < 300,
    digest: status === null ? null : `digest of ${status}`,
    item: begun.item && { ...begun.item, end },
  }
}

/** Commits begun attempts, then ended ones. */
export function commit(ledger: Ledger, begun: readonly NewAttempt[], ends: readonly EndedAttempt[]): void {
  ledger.commit({ ended: [], begun })
  ledger.commit({ ended: ends, begun: [] })
}

export const counts = (change: Partial<ReturnType<Ledger['counts']>>) => ({
  ...{ total: 0, waiting: 0, sending: 0, done: 0, failed: 0, dropped: 0, uncertain: 0 },
  ...change,
})

function raise(message: string): never {
  throw new Error(message)
}

export function selected(ledger: Ledger, source: ReplaySource, include: JobOptions['include']) {
  const selecting = ledger.select(source, include)
  while (!selecting.step());
  return selecting
}
export const preview = (...asked: Parameters<typeof selected>): Selected => selected(...asked).selected

export function addJob(
  ledger: Ledger,
  source: ReplaySource = everything,
  options: JobOptions = JOB,
  createdAt = 0,
): JobRecord {
  const selecting = selected(ledger, source, options.include)
  const made = ledger.newJob(selecting, source, options, createdAt)
  for (;;) {
    const job = made.step()
    if (job) return job
  }
}
