import type { BodySlice } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import type { BodyDocument } from './body-document.ts'
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

/** Calls to the worker: the methods of a body document, and those that create and close it. */
type Calls = Omit<BodyDocument, 'closed'> & {
  open(params: { readonly bytes: number }): null
  close(params: Readonly<Record<string, never>>): null
}
type Call = keyof Calls
type Params<C extends Call> = Parameters<Calls[C]> extends [infer P] ? P : Readonly<Record<string, never>>
export type BodyResult<C extends Call> = Awaited<ReturnType<Calls[C]>>

export type BodyRequest = {
  [C in Call]: { readonly id: number; readonly doc: number; readonly call: C; readonly params: Params<C> }
}[Call]
export type BodyReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }

export interface BodyHandle {
  readonly doc: number
  call<C extends Call>(call: C, params: Params<C>): Promise<BodyResult<C>>
}

interface Waiting {
  resolve(result: never): void
  reject(error: Error): void
}

let worker: Worker | undefined
let lastId = 0
let lastDoc = 0
const waiting = new Map<number, Waiting>()

/** The worker can crash, mostly for lack of memory: pending calls are rejected, and the next body gets a new worker. */
function fail(message: string): void {
  worker?.terminate()
  worker = undefined
  for (const { reject } of waiting.values()) reject(new Error(message))
  waiting.clear()
}

function started(): Worker {
  if (worker) return worker
  const fresh = new Worker(new URL('./body-worker.ts', import.meta.url), { type: 'module', name: 'bodies' })
  fresh.addEventListener('message', ({ data }: MessageEvent<BodyReply>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('error' in data) asked?.reject(new Error(data.error))
    else asked?.resolve(data.result as never)
  })
  fresh.addEventListener('error', (event) => fail(event.message || 'the body worker failed'))
  fresh.addEventListener('messageerror', () => fail('the body worker could not be understood'))
  worker = fresh
  return fresh
}

/** A new, empty body. Call `close` on it when it is no longer shown. */
function newBody(): BodyHandle {
  lastDoc += 1
  const doc = lastDoc
  return {
    doc,
    call: (call, params) => {
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        started().postMessage({ id, doc, call, params })
      })
    },
  }
}
