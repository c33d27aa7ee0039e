import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { DocumentClass, DocumentRow, ReconciliationSummary, Sweep } from '#contract/reconcile.ts'
import type { Report, ReportDocument } from '#interop/report/model.ts'
import { aUuid } from '../../../support/events.ts'

const AT = Date.UTC(2026, 9, 5, 12)

export const aSweep = (change: Partial<Sweep> = {}): Sweep => ({
  ...{ id: 7, connection: 'erp', state: 'complete', problems: [], startedAt: AT, endedAt: AT + 1_000 },
  range: {
    ...{ route: 'accounting', from: '2026-10-01T00:00:00-04:00', to: '2026-10-31T23:59:59.999999-04:00' },
    ...{ documentTypeId: null, pageSize: 200 },
  },
  ...{ requests: 4, retries: 0, pages: 4, items: 603, documents: 600, mapping: null, imported: false },
  reached: '2026-10-31T10:00:00-04:00',
  ...change,
})

const COUNTS: Record<DocumentClass, number> = {
  ...{ missing: 1, differs: 1, 'webhook-only': 0, 'not-yet-due': 0, 'date-unknown': 0 },
  ...{ 'not-subscribed': 0, 'cannot-tell': 0, recovered: 0, matched: 598 },
}

export const aSummary = (change: Partial<ReconciliationSummary> = {}): ReconciliationSummary => ({
  sweep: aSweep(),
  comparedAt: AT + 2_000,
  counts: COUNTS,
  missedEvents: { 'factura.created': 1, 'dgii.aprobado': 1 },
  atStake: [{ currency: 'DOP', amount: '1180.00', documents: 1 }],
  firstMissing: AT * 1_000,
  lastMissing: AT * 1_000,
  days: [{ day: '2026-10-05', counts: COUNTS }],
  ignored: 0,
  ...{ notRecovered: 2, notReached: 0, unreached: [], sharedDifferences: [] },
  ...change,
})

export const aRow = (change: Partial<DocumentRow> = {}): DocumentRow => ({
  ...{ key: aUuid(1), documentId: aUuid(1), number: 'E310000000001', class: 'missing', issuedAt: AT * 1_000 },
  ...{ party: 'Comercial Peña', total: '1180.00', currency: 'DOP', rules: ['no-created'] },
  missed: [{ kind: 'factura.created', rule: 'no-created', certainty: 'missed' }],
  ...{ cannotTell: [], differences: [], likelyReason: null, issuedSince: false, events: [] },
  ...{
    capturedTotal: null,
    capturedStatus: null,
    serviceStatus: 5,
    note: null,
    ignored: null,
    recovered: null,
  },
  ...change,
})

export const aDocument = (row: Partial<DocumentRow> = {}): ReportDocument => ({
  row: aRow(row),
  differences: [],
  evidence: [],
})

export const aReport = (change: Partial<Report> = {}): Report => ({
  createdAt: AT + 3_000,
  version: '0.0.0-test',
  connection: { ...DEFAULT_CONNECTION, name: 'erp', baseUrl: 'https://service.example' },
  sections: [{ summary: aSummary(), documents: [aDocument()] }],
  recovery: null,
  masked: true,
  language: 'en',
  ...change,
})

/** Parses CSV strictly by RFC 4180. */
export function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at < csv.length) {
    const row = rows.at(-1) ?? []
    let cell = ''
    if (csv[at] === '"') {
      at += 1
      while (csv[at] !== '"' || csv[at + 1] === '"') {
        cell += csv[at]
        at += csv[at] === '"' ? 2 : 1
      }
      at += 1
    } else while (at < csv.length && csv[at] !== ',' && csv[at] !== '\r') cell += csv[at++]
    row.push(cell)
    if (csv[at] === ',') at += 1
    else if (csv.slice(at, at + 2) === '\r\n') {
      at += 2
      if (at < csv.length) rows.push([])
    } else throw new Error(`no line end at ${at}`)
  }
  return rows
}
