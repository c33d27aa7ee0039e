import type { Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import type { Span } from '#core/traces.ts'
import { requestHeaders } from './service-answer.ts'

/** Where spans go; null endpoint: nowhere. */
export interface Tracing {
  /** Address of an OTLP/HTTP collector for traces, usually ending in /v1/traces. */
  readonly endpoint: string | null
  readonly serviceName: string
  readonly version: string
  /** Flat list, such as a credential of the collector. */
  readonly headers: readonly string[]
}

const EVERY_MS = 2_000
const BATCH = 512
/** Spans kept while the collector does not answer; later ones are dropped and counted. */
const MOST_WAITING = 4_096
const CLOSE_MS = 1_000
const TIMEOUTS = { connectMs: 5_000, answerMs: 10_000, totalMs: 10_000 }
/** Statuses after which OTLP says to send again. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Sends spans to an OpenTelemetry collector as OTLP/HTTP with JSON, in batches and with bounds: a dead collector costs nothing else. */
export class OtlpExporter {
  readonly #sender: Pick<Sender, 'send'>
  readonly #warn: (message: string) => void
  #tracing: Tracing | null = null
  #waiting: Span[] = []
  #dropped = 0
  #complained = false
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(sender: Pick<Sender, 'send'>, warn: (message: string) => void) {
    this.#sender = sender
    this.#warn = warn
  }

  get isOn(): boolean {
    return this.#tracing !== null && this.#tracing.endpoint !== null
  }

  configure(tracing: Tracing): void {
    this.#tracing = tracing
    if (tracing.endpoint === null) this.#waiting = []
  }

  add(span: Span): void {
    if (!this.isOn) return
    if (this.#waiting.length >= MOST_WAITING) this.#dropped += 1
    else this.#waiting.push(span)
    if (this.#waiting.length >= BATCH && !this.#sending) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS).unref()
  }

  /** Sends what is left, once and within a second: the end of Acuse waits for no collector. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const late = AbortSignal.timeout(CLOSE_MS)
    const over = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
    await Promise.race([this.#sending, over])
    if (this.#waiting.length > 0 && !late.aborted) await this.#send(late)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0 || this.#sending) return
    this.#sending = this.#send().then((again) => {
      this.#sending = undefined
      if (this.#waiting.length >= BATCH && !again) this.#flush()
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS).unref()
    })
  }

  /** @returns whether the batch has to be sent again */
  async #send(signal?: AbortSignal): Promise<boolean> {
    const tracing = this.#tracing
    const url = tracing?.endpoint
    if (!tracing || !url) return false
    const batch = this.#waiting.splice(0, BATCH)
    const body = Buffer.from(JSON.stringify(traceRequest(batch, tracing)))
    const outgoing = {
      method: 'POST',
      url,
      headers: [
        ...requestHeaders(url, 'Content-Type', 'application/json', 'Content-Length', String(body.length)),
        ...tracing.headers,
      ],
      body: bodyOf(body),
      timeouts: TIMEOUTS,
      acceptAnyCertificate: false,
    }
    const { answer, error } = await this.#sender.send(outgoing, signal)
    const status = answer?.status ?? 0
    if (status >= 200 && status < 300) {
      this.#took()
      return false
    }
    this.#complain(error?.message ?? `it answered ${status}.`)
    const room = error || AGAIN.has(status) ? MOST_WAITING - this.#waiting.length : 0
    const kept = batch.slice(0, Math.max(0, room))
    this.#dropped += batch.length - kept.length
    this.#waiting = [...kept, ...this.#waiting]
    return kept.length > 0
  }

  #took(): void {
    if (this.#dropped > 0)
      this.#warn(`The collector takes spans again; ${this.#dropped} were dropped meanwhile.`)
    this.#dropped = 0
    this.#complained = false
  }

  /** Once, until the collector takes spans again. */
  #complain(why: string): void {
    if (!this.#complained) this.#warn(`The collector of traces takes no spans: ${why}`)
    this.#complained = true
  }
}

const KIND = { server: 2, client: 3 } as const
const FAILED = 2

/** An ExportTraceServiceRequest in the JSON encoding of OTLP: ids as hexadecimal, 64-bit numbers as texts. */
function traceRequest(spans: readonly Span[], { serviceName, version }: Tracing) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': serviceName, 'service.version': version }) },
        scopeSpans: [{ scope: { name: 'acuse', version }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

const spanOf = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: KIND[span.kind],
  startTimeUnixNano: nanos(span.startUs),
  endTimeUnixNano: nanos(Math.max(span.startUs, span.endUs)),
  attributes: attributesOf(span.attributes),
  ...(span.error === null ? {} : { status: { code: FAILED, message: span.error } }),
})

const nanos = (us: number): string => `${Math.round(us)}000`

const attributesOf = (of: Span['attributes']) =>
  Object.entries(of).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))

/** Reads OTEL_EXPORTER_OTLP_HEADERS, such as `api-key=…,x-tenant=5`. @returns a flat list */
export function tracingHeaders(text = ''): readonly string[] {
  return text.split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x20-\x7e]*?)\s*$/.exec(pair) ?? []
    return name !== undefined && value !== undefined ? [name, decoded(value)] : []
  })
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
