import type { Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import type { Span } from '#core/traces.ts'
import { requestHeaders, retryAfter } from './service-answer.ts'

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
/** The longest Retry-After to obey: spans would pile up, and a collector rarely knows better. */
const ASKED_MOST_MS = 300_000
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
  /** Delay that the collector has asked for; 0: none. */
  #askedMs = 0
  #sending: Promise<void> | undefined
  readonly #ending = new AbortController()

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
    // A collector that takes nothing is asked every two seconds, however fast spans come.
    if (this.#waiting.length >= BATCH && !this.#complained) this.#flush()
    else if (!this.#sending) this.#flushLater()
  }

  /** Sends what is left within a second, since the end of Acuse waits for no collector, and says what it could not send. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.#ending.abort(), CLOSE_MS)
    do {
      this.#flush()
      await this.#sending
    } while (this.#waiting.length > 0 && !this.#complained)
    clearTimeout(late)
    clearTimeout(this.#timer)
    const lost = this.#waiting.length + this.#dropped
    if (lost > 0) this.#warn(`Acuse ends, and ${lost} spans did not reach the collector.`)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0 || this.#sending) return
    this.#sending = this.#send().then(() => {
      this.#sending = undefined
      if (this.#waiting.length >= BATCH && !this.#complained) this.#flush()
      else if (this.#waiting.length > 0) this.#flushLater()
    })
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(EVERY_MS, this.#askedMs)).unref()
  }

  async #send(): Promise<void> {
    const tracing = this.#tracing
    const url = tracing?.endpoint
    if (!tracing || !url) return
    const batch = this.#waiting.slice(0, BATCH)
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
    const { answer, error } = await this.#sender.send(outgoing, this.#ending.signal)
    const status = answer?.status ?? 0
    const took = status >= 200 && status < 300
    const again = !took && (error !== null || AGAIN.has(status))
    const askedMs = again && answer ? retryAfter(answer, Date.now()) : null
    this.#askedMs = Math.min(ASKED_MOST_MS, askedMs ?? 0)
    // Another span is first when traces were switched off meanwhile.
    if (!again && this.#waiting[0] === batch[0]) {
      this.#waiting.splice(0, batch.length)
      if (!took) this.#dropped += batch.length
    }
    if (took) this.#took()
    else this.#complain(error?.message ?? `it answered ${status}.`)
  }

  #took(): void {
    this.#complained = false
    // A collector that is only slow drops some again and again; their sum is said once it keeps up.
    if (this.#dropped === 0 || this.#waiting.length >= BATCH) return
    this.#warn(`The collector takes spans again; ${this.#dropped} were dropped meanwhile.`)
    this.#dropped = 0
  }

  /** Once, until the collector takes spans again; at the end `close` says it. */
  #complain(why: string): void {
    if (!this.#complained && !this.#ending.signal.aborted)
      this.#warn(`The collector of traces takes no spans: ${why}`)
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
