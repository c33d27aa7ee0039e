import type { DeliveryDetail } from '#contract/delivery.ts'
import { type FailedBody, isOpen, type OpenBody } from '@/shared/body/open-body.ts'

export type TabName =
  | 'event'
  | 'checks'
  | 'lines'
  | 'accounting'
  | 'raw'
  | 'headers'
  | 'answer'
  | 'attempts'
  | 'document'

/** The tabs that a delivery has, in their order: Lines and Accounting only where its body holds them, Document where it names one. */
export function tabNames(
  body: OpenBody | FailedBody,
  { documentId }: Pick<DeliveryDetail, 'documentId'>,
): readonly TabName[] {
  const event = isOpen(body) ? body.event : null
  return [
    'event',
    'checks',
    ...(event?.lines ? (['lines'] as const) : []),
    ...(event?.accounting ? (['accounting'] as const) : []),
    'raw',
    'headers',
    'answer',
    'attempts',
    ...(documentId === null ? [] : (['document'] as const)),
  ]
}
