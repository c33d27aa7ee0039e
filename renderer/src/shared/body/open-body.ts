import type { BodySlice } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { type BodyHandle, newBody } from './client.ts'
import type { BodySummary, EventModel } from './protocol.ts'

export const PREVIEW = 64 * 1024
/** Up to here the rest follows unasked. */
export const UNASKED = 2 * 1024 * 1024
/** More is not held in the window's memory: the view ends there and says so. */
export const MOST = 256 * 1024 * 1024
/** One answer of the host is taken apart in a few milliseconds on the main thread. */
const SLICE = 1024 * 1024

export interface BodySource {
  /** Changes with the bytes. */
  readonly key: string
  read(from: number, length: number): Promise<BodySlice>
}

export interface OpenBody {
  readonly source: BodySource
  readonly handle: BodyHandle
  readonly summary: BodySummary
  readonly event: EventModel
  readonly total: number
}
/** Why the asked view cannot be given, in the host's words. */
export interface FailedBody {
  readonly source: BodySource
  readonly problem: string
  readonly refusal?: Refusal
}

export const isOpen = (body: OpenBody | FailedBody): body is OpenBody => 'handle' in body
export const isComplete = (body: OpenBody): boolean => body.summary.bytes >= body.total

/** Its index covers all of it: what an event lacks then was not sent, and lines can be added up. */
export const isReadWhole = (body: OpenBody): boolean =>
  isComplete(body) && !body.summary.limited.pretty && body.summary.brokenAt === null

export function deliveryBody(id: number, view: 'raw' | 'decoded'): BodySource {
  return {
    key: `${id}/${view}`,
    read: (from, length) => api.call('deliveries.body', { id, view, from, length }),
  }
}

/** Bytes that are already here, as an answer's. */
export function givenBody(key: string, base64: string): BodySource {
  const binary = atob(base64)
  return {
    key,
    read: async (from, length) => ({
      bytesBase64: btoa(binary.slice(from, from + length)),
      total: binary.length,
      problem: null,
    }),
  }
}

async function finished(
  source: BodySource,
  handle: BodyHandle,
  total: number,
  whole: boolean,
): Promise<OpenBody> {
  const summary = await handle.call('read', { whole })
  return { source, handle, summary, event: await handle.call('event', {}), total }
}

export async function openBody(source: BodySource, most = PREVIEW): Promise<OpenBody | FailedBody> {
  try {
    const first = await source.read(0, most)
    if (first.problem !== null) return { source, problem: first.problem }
    const handle = newBody()
    await handle.call('open', { bytes: Math.min(first.total, most) })
    await handle.call('feed', { base64: first.bytesBase64 })
    return await finished(source, handle, first.total, first.total <= most)
  } catch (error) {
    const refusal = refusalOf(error)
    return { source, problem: refusal.message, refusal }
  }
}

/** The whole of a body in a handle of its own: its beginning stays usable meanwhile. @returns undefined when given up through `signal` */
export async function openWhole(
  body: OpenBody,
  signal: AbortSignal,
  progress: (received: number) => void,
): Promise<OpenBody | undefined> {
  const handle = newBody()
  let whole: OpenBody | undefined
  try {
    const bytes = Math.min(body.total, MOST)
    await handle.call('open', { bytes })
    for (let from = 0; from < bytes; ) {
      const slice = await body.source.read(from, Math.min(SLICE, bytes - from))
      if (signal.aborted) return undefined
      if (slice.problem !== null || slice.bytesBase64 === '')
        throw new Error(slice.problem ?? 'the body ended early')
      const { received } = await handle.call('feed', { base64: slice.bytesBase64 })
      from = received
      progress(received)
    }
    if (signal.aborted) return undefined
    const read = await finished(body.source, handle, body.total, bytes === body.total)
    if (!signal.aborted) whole = read
    return whole
  } finally {
    if (!whole) closeBody({ ...body, handle })
  }
}

export function closeBody(body: OpenBody | FailedBody | undefined): void {
  // A worker that has died has nothing left to close.
  if (body && isOpen(body)) void body.handle.call('close', {}).catch(() => undefined)
}

/** Read for a comparison; what is longer is compared by its beginning. */
export const TEXT_READ = 1024 * 1024

export interface BodyText {
  /** Pretty where it is JSON, as it came where it is text, hexadecimal where it is neither. */
  readonly text: string
  readonly nature: BodySummary['nature']
  readonly total: number
  readonly cut: boolean
}

/** A body as text to compare. The digits and escapes of JSON stay as they came. */
export async function bodyText(source: BodySource): Promise<BodyText> {
  const body = await openBody(source, TEXT_READ)
  if (!isOpen(body)) throw new Error(body.problem)
  const { nature } = body.summary
  const told = { nature, total: body.total, cut: !isComplete(body) }
  try {
    if (nature === 'empty') return { text: '', ...told }
    const view = nature === 'json' ? 'pretty' : nature === 'binary' ? 'hex' : 'text'
    return { ...(await body.handle.call('text', { view })), ...told }
  } finally {
    closeBody(body)
  }
}
