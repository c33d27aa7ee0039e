import type { DeliveryDetail } from '#contract/delivery.ts'

/** A delivery with everything that formats and masking need, held whole: one at a time. */
export interface ExportedDelivery {
  /** No header is marked as masked: masking has replaced values in place. */
  readonly detail: DeliveryDetail
  /** The stored bytes, fewer than `detail.size` when the receiver truncated the body. */
  readonly body: Uint8Array
  /** The body without its Content-Encoding codings, null when they cannot be removed; `body` itself without codings. */
  readonly decoded: Uint8Array | null
}

/** What masking did to a body. `decoded`: it is written without its codings; `left-out`: it cannot be read, so nothing of it is written. */
export type BodyState = 'as-received' | 'masked' | 'decoded' | 'left-out'

export interface MaskedDelivery extends ExportedDelivery {
  readonly bodyState: BodyState
}
