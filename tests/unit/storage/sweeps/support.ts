import type { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { analyse } from '#core/checks/analyse.ts'
import { AS_FOUND } from '#core/reconcile/item.ts'
import type { ComparisonTerms, NewSweep, SweepItem, SweepPage } from '#core/reconcile/ports.ts'
import { readSweepItem } from '#core/reconcile/sweep-item.ts'
import { Analyst } from '#storage/analyst/analyst.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { openForWriting } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import { openSweepStore, type SqliteSweepStore } from '#storage/sweeps/sweep-store.ts'
import { anEvent, aUuid, treeOf } from '../../../support/events.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

interface Planted {
  readonly body: unknown
  readonly receivedAt?: number
  readonly endpoint?: string
  readonly rejected?: boolean
  readonly malformed?: string
  readonly synthetic?: boolean
  readonly answer?: number
}

/** Captured deliveries of a folder, inserted directly and analysed by the real analyst. */
export class World implements Disposable {
  readonly folder: string
  readonly captured: DatabaseSync
  readonly #analyst: Analyst
  #next = 1

  constructor(folder = tempFolder()) {
    const files = storeFiles(folder)
    this.folder = folder
    this.captured = openForWriting(files.captured, 500)
    migrate(this.captured, files.captured, CAPTURED_MIGRATIONS)
    this.#analyst = new Analyst({ captured: files.captured, derived: files.derived, rebuild: false }, analyse)
  }

  plant(rows: Iterable<Planted>): number {
    const delivery = this.captured.prepare(
      `INSERT INTO delivery (id, received_at, receiving_us, endpoint, method, url, http_version, remote_address, remote_port, size,
       stored_bytes, answer_status, rejected, malformed, synthetic)
       VALUES (?, ?, 0, ?, 'POST', '/hooks', '1.1', '::1', 1, ?, ?, ?, ?, ?, ?)`,
    )
    const payload = this.captured.prepare('INSERT INTO payload (delivery_id, headers, body) VALUES (?, ?, ?)')
    this.captured.exec('BEGIN')
    for (const row of rows) {
      const id = this.#next++
      const body = Buffer.from(typeof row.body === 'string' ? row.body : JSON.stringify(row.body))
      const { receivedAt = 1_790_000_000_000_000 + id, endpoint = 'default', answer = 200 } = row
      delivery.run(
        ...[id, receivedAt, endpoint, body.byteLength, body.byteLength, answer],
        ...[Number(row.rejected ?? false), row.malformed ?? null, Number(row.synthetic ?? false)],
      )
      payload.run(id, Buffer.from('Content-Type\napplication/json'), body)
    }
    this.captured.exec('COMMIT')
    while (this.#analyst.step());
    return this.#next - 1
  }

  delete(...ids: readonly number[]): void {
    for (const id of ids) {
      this.captured.prepare('DELETE FROM delivery WHERE id = ?').run(id)
      this.captured.prepare('DELETE FROM payload WHERE delivery_id = ?').run(id)
    }
    this.#analyst.forget(ids, 1)
  }

  cover(state: string, from: number, to: number): void {
    this.captured.exec(`INSERT INTO coverage (state, from_ms, to_ms) VALUES ('${state}', ${from}, ${to})`)
  }

  [Symbol.dispose](): void {
    this.#analyst.close()
    this.captured.close()
  }
}

export function aWorld(): World {
  const world = new World()
  onTestFinished(() => world[Symbol.dispose]())
  return world
}

export function storeIn(folder: string, warn: (message: string) => void = raise): SqliteSweepStore {
  const store = openSweepStore({ paths: storeFiles(folder), warn })
  onTestFinished(() => store.close())
  return store
}

export const OCTOBER = { from: '2026-10-01T00:00:00-04:00', to: '2026-10-31T23:59:59-04:00' }

export const aSweep = (
  change: Partial<Omit<NewSweep, 'range'>> & { readonly range?: Partial<NewSweep['range']> } = {},
): NewSweep => ({
  connection: 'main',
  startedAt: 1_793_000_000_000,
  reading: AS_FOUND,
  walk: { mode: 'walk' },
  ...change,
  range: { route: 'accounting', ...OCTOBER, documentTypeId: null, pageSize: 200, ...change.range },
})

export const anItem = (value: unknown): SweepItem => readSweepItem(treeOf(value), 0)

export const aPage = (items: readonly unknown[], change: Partial<SweepPage> = {}): SweepPage => ({
  items: items.map(anItem),
  walk: { mode: 'done' },
  requests: 1,
  retries: 0,
  at: 1_793_000_000_000,
  reached: null,
  mapping: null,
  ...change,
})

export function planted(...rows: readonly Planted[]) {
  const world = aWorld()
  world.plant(rows)
  return { world, store: storeIn(world.folder) }
}

export function swept(
  rows: readonly Planted[],
  items: readonly unknown[],
  change: Parameters<typeof aSweep>[0] = {},
) {
  const made = planted(...rows)
  const { id } = made.store.add(aSweep(change))
  made.store.save(id, aPage(items))
  return { ...made, id }
}

export const theTerms = (change: Partial<ComparisonTerms> = {}): ComparisonTerms => ({
  now: 1_793_100_000_000,
  endpoints: [],
  kinds: null,
  zone: 'America/Santo_Domingo',
  ignoredFields: ['AmountDue'],
  notYetDue: { issuedHours: 24, returnedMinutes: 10 },
  mapping: null,
  documentTypes: [],
  unreached: [],
  ...change,
})

export function allRows(store: SqliteSweepStore, sweep: number) {
  const first = store.rows(sweep, { from: 0, limit: 7 })
  return [...first.rows, ...store.rows(sweep, { from: first.rows.length, limit: 1_000 }).rows]
}

function raise(message: string): never {
  throw new Error(message)
}

export const ISSUED = '2026-10-05T10:00:00-04:00'
export const accounting = (change: object = {}) => ({
  ...{ DocumentTypeId: 31, IssuedAt: ISSUED, CurrencyCode: 'DOP', Total: 100.1, AmountDue: 0 },
  ...change,
})
export const event = (kind: Kind, n: number, data: object = {}) =>
  anEvent(kind, {
    data: { DocumentId: aUuid(n), Number: `E31000000000${n}`, Accounting: accounting(), ...data },
  })
export const item = (n: number, change: object = {}, own: object = {}) => ({
  DocumentId: aUuid(n),
  Number: `E31000000000${n}`,
  CustomerName: `Cliente ${n}`,
  Accounting: accounting(change),
  ...own,
})
