import type { DeliveryRow } from '#contract/delivery.ts'

/** A delivery as `acuse events --json` prints it; names and order are fixed, since users' scripts read them. */
export function eventRecord(row: DeliveryRow) {
  return {
    id: row.id,
    receivedAt: utc(row.receivedAt),
    endpoint: row.endpoint,
    method: row.method,
    url: row.url,
    kind: row.kind,
    group: row.group,
    documentId: row.documentId,
    statusId: row.statusId,
    verdict: row.verdict,
    answer: row.answer,
    size: row.size,
    rejected: row.rejected,
    marks: row.marks,
    tags: row.tags,
    note: row.note,
    number: row.document?.number ?? row.number,
    party: row.document?.party ?? null,
    total: row.document?.total ?? null,
    currency: row.document?.currency ?? null,
  }
}

/** @param micros microseconds since the epoch @returns ISO 8601 in UTC with all six digits */
export function utc(micros: number): string {
  const millis = Math.floor(micros / 1_000)
  const rest = String(micros - millis * 1_000).padStart(3, '0')
  return new Date(millis).toISOString().replace('Z', `${rest}Z`)
}
