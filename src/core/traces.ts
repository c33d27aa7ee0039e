import type { Capture, NewDelivery } from './ports.ts'

/** One operation of a trace, in the terms of OpenTelemetry. Ids are lower-case hexadecimal. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: 'server' | 'client'
  /** Microseconds since the epoch. */
  readonly startUs: number
  readonly endUs: number
  readonly attributes: Readonly<Record<string, string | number>>
  /** A stable code; null when nothing failed. */
  readonly error: string | null
}

/** Header of the W3C Trace Context. */
export const TRACEPARENT = 'traceparent'
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/

export interface TraceContext {
  readonly traceId: string
  /** The sender's span. */
  readonly spanId: string
}

/** @param headers flat list @returns null without exactly one valid traceparent */
export function contextOf(headers: readonly string[]): TraceContext | null {
  const values = headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === TRACEPARENT)
  const [, traceId, spanId] = (values.length === 1 && FORM.exec(values[0]?.trim() ?? '')) || []
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : null
}

type Arrived = Pick<NewDelivery, 'receivedAt' | 'headers'> & { readonly id: number }

/**
 * Ids of a delivery's span. They derive from the delivery, so that an attempt made by another thread, or after a restart, becomes its child.
 */
export function deliveryContext({
  id,
  receivedAt,
  headers,
}: Arrived): TraceContext & { readonly parentId: string | null } {
  const given = contextOf(headers)
  const spanId = hex(receivedAt, id, 1)
  return {
    traceId: given?.traceId ?? hex(receivedAt, id, 2) + hex(receivedAt, id, 3),
    spanId,
    parentId: given?.spanId ?? null,
  }
}

export interface AttemptTrace extends TraceContext {
  readonly parentId: string
  /** Header to add to the request; null when the delivery has one, which is kept as it is. */
  readonly header: readonly [name: string, value: string] | null
}

/** The span of an attempt, a child of its delivery's. @param attemptId @param startedAt microseconds since the epoch */
export function attemptTrace(delivery: Arrived, attemptId: number, startedAt: number): AttemptTrace {
  const { traceId, spanId: parentId } = deliveryContext(delivery)
  const spanId = hex(startedAt, attemptId, 4)
  const has = delivery.headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === TRACEPARENT)
  return { traceId, spanId, parentId, header: has ? null : [TRACEPARENT, `00-${traceId}-${spanId}-01`] }
}

const MASK = (1n << 64n) - 1n

/** 16 hexadecimal digits, well mixed (SplitMix64) and never all zero. */
function hex(...parts: readonly number[]): string {
  let state = 0n
  for (const part of parts) {
    state = (state + BigInt(Math.round(part)) + 0x9e3779b97f4a7c15n) & MASK
    state = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
    state = ((state ^ (state >> 27n)) * 0x94d049bb133111ebn) & MASK
    state ^= state >> 31n
  }
  return (state === 0n ? 1n : state).toString(16).padStart(16, '0')
}

/** Emits a span per stored delivery, from its first byte to its answer. Costs one comparison per delivery while tracing is off. */
export function tracingDeliveries(
  capture: Capture,
  isOn: () => boolean,
  emit: (span: Span) => void,
): Capture {
  const waiting = new Map<number, NewDelivery>()
  const end = (id: number, delivery: NewDelivery, tookUs: number, status: number | null) =>
    emit(deliverySpan(id, delivery, tookUs, status))
  return {
    append: (delivery) => {
      const appended = capture.append(delivery)
      if (isOn())
        appended.then(
          ({ id }) => {
            // The body is not needed, and may be large.
            const small = { ...delivery, body: NO_BODY }
            if (delivery.answer === null) end(id, small, delivery.receivingUs, null)
            else waiting.set(id, small)
          },
          () => undefined,
        )
      return appended
    },
    openBody: () => capture.openBody(),
    answered: (id, tookUs, instead) => {
      capture.answered(id, tookUs, instead)
      const delivery = waiting.get(id)
      if (!delivery) return
      waiting.delete(id)
      const answer = instead ? instead.answer : delivery.answer
      end(id, delivery, tookUs ?? delivery.receivingUs, tookUs === null ? null : (answer?.status ?? null))
    },
  }
}

const NO_BODY = new Uint8Array()

function deliverySpan(id: number, delivery: NewDelivery, tookUs: number, status: number | null): Span {
  const { receivedAt, endpoint, method, bodySize, malformed, rejected } = delivery
  const { traceId, spanId, parentId } = deliveryContext({ ...delivery, id })
  return {
    ...{ traceId, spanId, parentId },
    name: `receive ${endpoint}`,
    kind: 'server',
    startUs: receivedAt,
    endUs: receivedAt + tookUs,
    attributes: {
      'acuse.delivery.id': id,
      'acuse.endpoint': endpoint,
      // Whatever an unparseable request has here is not a method.
      ...(malformed === 'unparseable' ? {} : { 'http.request.method': method }),
      'http.request.body.size': bodySize,
      ...(status === null ? {} : { 'http.response.status_code': status }),
    },
    error: malformed ?? (rejected ? 'rejected' : status === null ? 'no-answer' : null),
  }
}
