import type { DeliveryDetail } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import type { AnsweredBy } from '#contract/faults.ts'
import type { NewDelivery } from '#core/ports.ts'

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

/** A delivery read from a file, as another program received it. */
export interface ImportedDelivery {
  readonly delivery: Omit<NewDelivery, 'body'> & { readonly body: Uint8Array }
  readonly tookUs: number | null
  readonly answeredBy: AnsweredBy | null
  readonly note: string | null
  readonly tags: readonly string[]
  readonly pinned: boolean
}

/** What an import finds: a delivery, or a record that is none, with its place in the file. */
export type Found =
  /** `theirs`: its id in a session file, by which attempts and sweeps refer to it. */
  | { readonly place: string; readonly imported: ImportedDelivery; readonly theirs?: number }
  | { readonly place: string; readonly reason: Refusal }

export interface ImportFile {
  readonly name: string
  /** Microseconds since the epoch: the time of deliveries that state none. */
  readonly at: number
  /** Endpoint of deliveries that state none. */
  readonly endpoint: string
  pieces(): AsyncIterable<Uint8Array>
}
