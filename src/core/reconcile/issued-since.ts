import type { DocumentRow, Sweep } from '#contract/reconcile.ts'

/**
 * Whether the service could not list a document yet when it was asked, which is the only reason it needs.
 * @param row `issuedAt` in microseconds since the epoch
 * @param sweep `startedAt` in milliseconds since the epoch
 */
export const isIssuedSince = (
  row: Pick<DocumentRow, 'class' | 'issuedAt'>,
  { startedAt }: Pick<Sweep, 'startedAt'>,
): boolean => row.class === 'webhook-only' && row.issuedAt !== null && row.issuedAt > startedAt * 1_000
