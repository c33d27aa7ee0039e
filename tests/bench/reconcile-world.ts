import { randomUUID } from 'node:crypto'
import type { CanonicalValue } from '#core/reconcile/documents.ts'
import { fingerprintOf } from '#core/reconcile/fingerprint.ts'
import { AS_FOUND } from '#core/reconcile/item.ts'
import type { NewSweep, SweepItem } from '#core/reconcile/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { DERIVED_SCHEMA } from '#storage/schema/derived.ts'
import { openForWriting } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import type { SqliteSweepStore } from '#storage/sweeps/sweep-store.ts'

const DAY_US = 86_400_000_000
const MONTH_US = 31 * DAY_US
/** 1 October 2026 at midnight in Santo Domingo. */
const OCTOBER_US = Date.UTC(2026, 9, 1, 4) * 1_000
const EVENTS = ['factura.created', 'dgii.en_proceso', 'dgii.aprobado'] as const
const STEPS = [0, 7, 5] as const
const PAGE = 500

export const SWEEP: NewSweep = {
  connection: 'bench',
  startedAt: OCTOBER_US / 1_000 + 40 * 86_400_000,
  reading: AS_FOUND,
  walk: null,
  range: {
    route: 'accounting',
    from: '2026-10-01T00:00:00-04:00',
    to: '2026-10-31T23:59:59.999999-04:00',
    documentTypeId: null,
    pageSize: PAGE,
  },
}

interface Document {
  readonly key: string
  readonly number: string
  readonly issuedAt: number
  readonly accounting: ReadonlyMap<string, CanonicalValue>
}

function aDocument(n: number, month: number): Document {
  const value = (type: CanonicalValue['type'], key: string): CanonicalValue => ({ type, key, source: key })
  const issuedAt = OCTOBER_US - month * MONTH_US + ((n * 7_919) % (MONTH_US / 1_000_000)) * 1_000_000
  return {
    key: randomUUID(),
    number: `E31${String(n).padStart(10, '0')}`,
    issuedAt,
    accounting: new Map([
      ['DocumentTypeId', value('number', '31')],
      ['IssuedAt', { ...value('date', ''), date: { micros: issuedAt, local: false, unit: 1_000_000 } }],
      ['CurrencyCode', value('text', 'DOP')],
      ['TaxableAmount', value('number', String(n))],
      ['Total', value('number', `${n}.18`)],
      ['AmountDue', value('number', '0')],
      ['AwaitsFiscalValidation', value('other', 'false')],
    ]),
  }
}

/**
 * Writes a store in the state after analysis: each document was created, sent and approved. It has no bodies: a comparison reads none.
 * Documents of earlier months make up the rest. 3 % of the month's creations are missing, and 1 % have another total.
 * @returns the month's documents
 */
export function plant(folder: string, captured: number, listed: number): Document[] {
  const files = storeFiles(folder)
  const db = openForWriting(files.captured, 500)
  migrate(db, files.captured, CAPTURED_MIGRATIONS)
  const derived = openForWriting(files.derived, 500, 64)
  derived.exec(DERIVED_SCHEMA)
  const delivery = db.prepare(
    `INSERT INTO delivery (id, received_at, receiving_us, endpoint, method, url, http_version, remote_address, remote_port, size,
     stored_bytes, answer_status, rejected) VALUES (?, ?, 0, 'default', 'POST', '/', '1.1', '::1', 1, 0, 0, 200, 0)`,
  )
  const analysis = derived.prepare(
    `INSERT INTO analysis (delivery_id, event, kind, "group", document_id, document_key, number, status_id, timestamp, instant, verdict,
     finding_count, marks, endpoint, party, total, currency)
     VALUES (?, ?, ?, 'invoices', ?, ?, ?, ?, '', ?, 0, 0, 0, 'default', ?, ?, ?)`,
  )
  const event = derived.prepare(
    `INSERT INTO document_event (delivery_id, step, instant, issued_at, document_key, endpoint, kind, document_type, status_id, number,
     fingerprint) VALUES (?, ?, ?, ?, ?, 'default', ?, ?, ?, ?, ?)`,
  )
  for (const each of [db, derived]) each.exec('BEGIN')
  const month: Document[] = []
  let id = 0
  for (let n = 0; id < captured; n++) {
    const ofMonth = id >= captured - listed * EVENTS.length
    const document = aDocument(n, ofMonth ? 0 : 1 + (n % 10))
    if (ofMonth) month.push(document)
    for (const [step, kind] of EVENTS.entries()) {
      if (step === 0 && ofMonth && n % 33 === 0) continue
      id += 1
      const created = step === 0
      const instant = document.issuedAt + step * 60_000_000
      const changed = n % 100 === 1 ? new Map([...document.accounting, ...other(n)]) : document.accounting
      delivery.run(id, instant)
      analysis.run(
        id,
        kind,
        kind,
        document.key,
        document.key,
        created ? document.number : null,
        STEPS[step] ?? 1,
        instant,
        ...[created ? 'Comercial Peña' : null, created ? `${n}.18` : null, created ? 'DOP' : null],
      )
      event.run(
        ...[id, STEPS[step] ?? 1, instant, created ? document.issuedAt : null, document.key, kind],
        ...[created ? 31 : null, STEPS[step] ?? 1, created ? document.number : null],
        created ? fingerprintOf(changed) : null,
      )
    }
  }
  derived.prepare("INSERT INTO progress VALUES ('analysed_upto', ?)").run(id)
  for (const each of [db, derived]) {
    each.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
    each.close()
  }
  return month
}

const other = (n: number): ReadonlyMap<string, CanonicalValue> =>
  new Map([['Total', { type: 'number', key: `${n}.19`, source: `${n}.19` }]])

/** Saves a sweep of the documents by pages. @returns the sweep's id, and the median time to save a page, milliseconds */
export function sweep(
  store: SqliteSweepStore,
  documents: readonly Document[],
): { id: number; pageMs: number } {
  const { id } = store.add(SWEEP)
  const took: number[] = []
  for (let at = 0; at < documents.length; at += PAGE) {
    const items = documents.slice(at, at + PAGE).map(anItem)
    const began = performance.now()
    store.save(id, {
      items,
      walk: { at },
      requests: 1,
      retries: 0,
      at: SWEEP.startedAt,
      reached: null,
      mapping: null,
    })
    took.push(performance.now() - began)
  }
  return { id, pageMs: took.sort((a, b) => a - b)[took.length >> 1] ?? 0 }
}

function anItem({ key, number, issuedAt, accounting }: Document): SweepItem {
  const raw = {
    DocumentId: key,
    Number: number,
    Accounting: Object.fromEntries([...accounting].map(([k, v]) => [k, v.source])),
  }
  return {
    raw: Buffer.from(JSON.stringify(raw)),
    key,
    document: {
      ...{ documentKey: key, documentId: key, number, issuedAt, accounting },
      ...{ documentType: 31, statusId: 5, voided: false },
    },
    party: 'Comercial Peña',
    total: accounting.get('Total')?.source ?? null,
    currency: 'DOP',
  }
}
