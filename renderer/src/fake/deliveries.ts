import type { DeliveryDetail, DeliveryRow, Mark } from '#contract/delivery.ts'
import { analyse } from '#core/checks/analyse.ts'
import { bodyOf } from './bodies.ts'
import { chance } from './chance.ts'

/** Deliveries by index, made when looked at: a million of them cost nothing until then. */
export interface Made {
  readonly row: DeliveryRow
  readonly body: Uint8Array
}

export interface Maker {
  readonly seed: number
  /** Arrival of index 0 and the pause between two, milliseconds. */
  readonly start: number
  readonly gapMs: number
}

function marksOf(seed: number, index: number): Mark[] {
  const marks: Mark[] = []
  if (chance(seed, index, 20) < 0.03) marks.push('duplicate')
  if (chance(seed, index, 21) < 0.02) marks.push('late')
  if (chance(seed, index, 22) < 0.015) marks.push('out-of-order')
  return marks
}

export function makeDelivery({ seed, start, gapMs }: Maker, index: number): Made {
  const at = start + index * gapMs + Math.floor(chance(seed, index, 30) * gapMs * 0.9)
  const body = new TextEncoder().encode(bodyOf(seed, index, at))
  const analysis = analyse({ method: 'POST', contentType: 'application/json', body: { bytes: body } })
  const rejected = chance(seed, index, 23) < 0.015
  const cutOff = !rejected && chance(seed, index, 24) < 0.004
  const row: DeliveryRow = {
    id: index + 1,
    receivedAt: at * 1000 + Math.floor(chance(seed, index, 31) * 1000),
    endpoint: chance(seed, index, 25) < 0.2 ? 'erp' : 'default',
    method: chance(seed, index, 26) < 0.08 ? 'PUT' : 'POST',
    url: chance(seed, index, 25) < 0.2 ? '/erp/webhooks?source=acct' : '/',
    size: body.byteLength,
    answer: rejected ? 401 : cutOff ? null : 200,
    tookUs: cutOff ? null : 900 + Math.floor(chance(seed, index, 27) ** 4 * 90_000),
    rejected,
    malformed: cutOff ? 'cut-off' : null,
    event: analysis.event,
    kind: analysis.kind,
    group: analysis.group,
    documentId: analysis.documentId,
    number: analysis.number,
    statusId: analysis.statusId,
    timestamp: analysis.timestamp?.text ?? null,
    verdict: analysis.verdict,
    findings: analysis.findingCount,
    marks: marksOf(seed, index),
    attempts: 0,
    note: false,
    tags: [],
  }
  return { row, body }
}

/** As it looks between its storing and its analysis. */
export const unjudged = (row: DeliveryRow): DeliveryRow => ({
  ...row,
  event: null,
  kind: null,
  group: null,
  documentId: null,
  number: null,
  statusId: null,
  timestamp: null,
  verdict: null,
  findings: 0,
  marks: [],
})

export function detailOf({ row, body }: Made): DeliveryDetail {
  const header = (name: string, value: string, masked = false) => ({ name, value, masked })
  const { findings } = analyse({ method: row.method, contentType: 'application/json', body: { bytes: body } })
  return {
    ...row,
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    remotePort: 40_000 + (row.id % 20_000),
    receivingUs: 400,
    bodyKept: row.size,
    headers: [
      header('Host', '127.0.0.1:4400'),
      header('Content-Type', 'application/json'),
      header('User-Agent', 'invoicing-service/1'),
      header('X-Hook-Secret', '24 characters', true),
      header('Content-Length', String(body.byteLength)),
    ],
    trailers: [],
    answeredBy: null,
    answered: row.answer === null ? null : { headers: [header('Content-Length', '0')], bodyBase64: '' },
    findingList: findings,
    noteText: null,
    drift: [],
    codings: [],
  }
}
