import type { DeliveryDetail } from '#contract/delivery.ts'
import { api } from '@/shared/live/api.ts'
import type { ComparedPair } from '@/shared/live/layers.ts'

export interface Compared {
  readonly detail: DeliveryDetail
  readonly body: Uint8Array
  /** Why the body could not be decoded, in the host's words: then it is compared as it came. */
  readonly problem: string | null
}
export type Loaded =
  | { readonly state: 'loaded'; readonly left: Compared; readonly right: Compared }
  /** The right one is the first of its document, or names none: there is nothing before it. */
  | { readonly state: 'first' | 'no-document' }
  | { readonly state: 'too-large'; readonly limit: number }

/** Bytes of a body that are compared; the window holds both sides and their structure. */
export const COMPARED_BYTES = 32 * 1024 * 1024
const SLICE = 1024 * 1024

export async function loadPair(pair: ComparedPair, signal: AbortSignal): Promise<Loaded> {
  const right = await api.call('deliveries.get', { id: pair.right })
  let { left } = pair
  if (left === 'previous') {
    if (right.documentId === null) return { state: 'no-document' }
    const before = await previousOf(right)
    if (before === undefined) return { state: 'first' }
    left = before
  }
  const other = await api.call('deliveries.get', { id: left })
  if (Math.max(right.size, other.size) > COMPARED_BYTES) return { state: 'too-large', limit: COMPARED_BYTES }
  const [a, b] = [await compared(other, signal), await compared(right, signal)]
  if (!a || !b) return { state: 'too-large', limit: COMPARED_BYTES }
  return { state: 'loaded', left: a, right: b }
}

/** The delivery before this one among those of its document that were let in. */
async function previousOf({ id, documentId }: DeliveryDetail): Promise<number | undefined> {
  const filter = `doc:"${(documentId ?? '').replaceAll('"', '')}" -is:rejected`
  const { rows } = await api.call('deliveries.scan', { filter, after: id, limit: 1, newest: true })
  return rows[0]?.id
}

async function compared(detail: DeliveryDetail, signal: AbortSignal): Promise<Compared | undefined> {
  const decoded = await bytesOf(detail.id, 'decoded', signal)
  if (decoded === undefined || decoded.problem === null) return decoded && { detail, ...decoded }
  const raw = await bytesOf(detail.id, 'raw', signal)
  return raw && { detail, body: raw.body, problem: decoded.problem }
}

async function bytesOf(
  id: number,
  view: 'raw' | 'decoded',
  signal: AbortSignal,
): Promise<{ readonly body: Uint8Array; readonly problem: string | null } | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  for (;;) {
    const slice = await api.call('deliveries.body', { id, view, from: received, length: SLICE })
    signal.throwIfAborted()
    if (slice.total > COMPARED_BYTES) return undefined
    if (slice.problem !== null) return { body: new Uint8Array(), problem: slice.problem }
    const piece = Uint8Array.from(atob(slice.bytesBase64), (c) => c.charCodeAt(0))
    pieces.push(piece)
    received += piece.length
    if (received >= slice.total || piece.length === 0) break
  }
  return { body: new Uint8Array(await new Blob(pieces).arrayBuffer()), problem: null }
}
