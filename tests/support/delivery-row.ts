import type { DeliveryRow } from '#contract/delivery.ts'

/** A row of the list as it is before analysis, which nothing is known of. */
export const aRow = (change: Partial<DeliveryRow> = {}): DeliveryRow => ({
  ...{ id: 1, receivedAt: 0, endpoint: 'default', method: 'POST', url: '/', size: 2, answer: 200 },
  ...{ tookUs: null, rejected: false, malformed: null, event: null, kind: null, group: null },
  ...{ documentId: null, number: null, statusId: null, timestamp: null, verdict: null, findings: 0 },
  ...{ marks: [], attempts: 0, lastAttempt: null, note: false, tags: [], document: null },
  ...change,
})
