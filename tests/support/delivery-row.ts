import type { DeliveryRow } from '#contract/delivery.ts'
import type { AttemptRow } from '#contract/replay.ts'

/** A row of the list before analysis. */
export const aRow = (change: Partial<DeliveryRow> = {}): DeliveryRow => ({
  ...{ id: 1, receivedAt: 0, endpoint: 'default', method: 'POST', url: '/', size: 2, answer: 200 },
  ...{ tookUs: null, rejected: false, malformed: null, event: null, kind: null, group: null },
  ...{ documentId: null, number: null, statusId: null, timestamp: null, verdict: null, findings: 0 },
  ...{ marks: [], attempts: 0, lastAttempt: null, note: false, tags: [], document: null },
  ...change,
})

/** A row of the attempts: answered with 200. */
export const anAttempt = (change: Partial<AttemptRow> = {}): AttemptRow => ({
  ...{
    id: 1,
    deliveryId: 1,
    origin: { by: 'hand' },
    target: 'app',
    method: 'POST',
    url: 'http://127.0.0.1/',
  },
  ...{ startedAt: 1, tookUs: 1, state: 'answered', status: 200, ok: true, error: null, answerSize: 2 },
  ...{ answerDigest: 'a', answerLine: null, edited: false, again: false, tryNumber: 1, imported: false },
  ...change,
})
