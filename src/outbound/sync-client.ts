import { pluginAnswerText } from '#catalog/plugin-events.ts'
import { ROUTES } from '#catalog/service.ts'
import type { Connection } from '#contract/connection.ts'
import { headerOf } from '#contract/headers.ts'
import type { SweepProblem } from '#contract/reconcile.ts'
import type { AttemptErrorCode } from '#contract/replay.ts'
import {
  type PluginPublisher,
  type Published,
  problem,
  readPage,
  type SyncAnswer,
  type SyncFailure,
  type SyncQuery,
  type SyncSource,
} from '#core/reconcile/sync-source.ts'
import type { Answer, Outcome, Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import {
  bodyText,
  covered,
  decodedBody,
  quoted,
  type Reached,
  requestHeaders,
  retryAfter,
  shortLine,
} from './service-answer.ts'

export interface SyncService extends Reached {
  readonly apiKey: string
}

/** Maximum bytes of a page; a Sender for sync routes needs it as `answerKept`. */
export const PAGE_KEPT = 64 * 1024 * 1024
/** Maximum characters returned of a refusal's body. */
const BODY_SHOWN = 20_000

/** Errors that a retry cannot fix. */
const LASTING: ReadonlySet<AttemptErrorCode> = new Set([
  'bad-url',
  'destination-refused',
  'own-receiver',
  'tls',
  'unsendable',
])

/** Requests pages of a sync route (Endpoints; readings, accounting-sync). Follows no redirect, so that the key goes nowhere else. */
export function createSyncSource(sender: Sender, service: SyncService, now: () => number): SyncSource {
  return {
    async page(query, signal) {
      const url = urlOf(service.baseUrl, query)
      const bound = new PageBound(query.pageSize)
      let read = 0
      const outcome = await sender.send(
        {
          method: ROUTES[routeOf(query)].method,
          url,
          headers: requestHeaders(url, ROUTES[routeOf(query)].credential, service.apiKey),
          body: bodyOf(new Uint8Array()),
          timeouts: service.timeouts,
          acceptAnyCertificate: service.acceptAnyCertificate,
          watch(piece) {
            read += piece.byteLength
            return read <= PAGE_KEPT && bound.take(piece)
          },
        },
        signal,
      )
      return bound.over
        ? { failure: overlong(outcome, bound.most, query) }
        : understood(outcome, query, service, now)
    },
  }
}

const routeOf = ({ route }: Pick<SyncQuery, 'route'>) =>
  route === 'accounting' ? ('accountingSync' as const) : ('treasurySync' as const)
const nameOf = ({ route }: Pick<SyncQuery, 'route'>): string => `${route}-sync`

/** Percent-encodes every parameter: the "+" of an offset would be read as a blank. */
function urlOf(baseUrl: string, query: SyncQuery): string {
  const values: readonly (readonly [string, string | number | null])[] = [
    ['from', query.from],
    ['afterDocumentId', query.route === 'treasury' ? query.afterDocumentId : null],
    ['to', query.to],
    ['documentTypeId', query.documentTypeId],
    ['pageSize', query.pageSize],
  ]
  const given = values.flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(String(value).toWellFormed())}`],
  )
  return `${baseUrl}${ROUTES[routeOf(query)].path}?${given.join('&')}`
}

function understood(outcome: Outcome, query: SyncQuery, service: SyncService, now: () => number): SyncAnswer {
  const { answer, error } = outcome
  if (error?.code === 'cancelled') return { cancelled: true }
  const failed = (problem: SweepProblem, passing: boolean): SyncAnswer => ({
    failure: {
      problem,
      passing,
      retryAfterMs: answer && retryAfter(answer, now()),
      status: answer?.status ?? null,
      body: answer && bodyText(answer, service.apiKey, BODY_SHOWN),
    } satisfies SyncFailure,
  })
  if (answer && (answer.status < 200 || answer.status > 299))
    return failed(...refusal(answer, query, service.apiKey))
  if (error) {
    const broken = answer !== null && error.code === 'connection-closed'
    const found = broken
      ? problem('truncated', `The page breaks off after ${answer.size} bytes. ${error.message}`, {
          ...error.params,
          code: error.code,
          bytes: answer.size,
          why: 'cut',
        })
      : problem('unreachable', error.message, { ...error.params, code: error.code })
    return failed(found, !LASTING.has(error.code))
  }
  if (!answer) return failed(problem('unreachable', 'No answer came.'), true)
  if (answer.size > answer.body.byteLength) return failed(tooLarge(answer.size, query), false)
  const body = decodedBody(answer)
  if (!body) return failed(undecodable(answer), true)
  const bound = new PageBound(query.pageSize)
  if (!bound.take(body)) return { failure: overlong(outcome, bound.most, query) }
  const page = readPage(body)
  if ('code' in page) return failed(page, page.code !== 'unknown-page')
  return { page, status: answer.status }
}

/** Explains an answer other than 2xx. @returns the problem, and whether a retry may help */
function refusal(answer: Answer, query: SyncQuery, apiKey: string): [SweepProblem, boolean] {
  const { status } = answer
  const route = nameOf(query)
  const words = bodyText(answer, apiKey, BODY_SHOWN)
  const said = `The service answered ${status} to ${route}: ${quoted(words)}.`
  const params = { status, route, said: shortLine(words) }
  if (status >= 300 && status < 400) {
    const to = destination(headerOf(answer.headers, 'location'), apiKey)
    const message = `The service answered ${status} and points to ${to}. Acuse follows no redirect, so it sent the API key nowhere else. Correct the connection's base URL if the service has moved.`
    return [problem('redirected', message, { ...params, location: to }), false]
  }
  const [code, advice, passing] = MEANINGS[status] ?? (status >= 500 ? SERVER_ERROR : REFUSED)
  return [problem(code, `${said}${advice}`, params), passing]
}

type Meaning = readonly [code: SweepProblem['code'], advice: string, passing: boolean]
const SERVER_ERROR: Meaning = ['server-error', ' It may work again later.', true]
const REFUSED: Meaning = ['refused', '', false]
const KEY = ' It does not accept this API key for the route; check the key of the connection.'
const MEANINGS: Readonly<Record<number, Meaning>> = {
  400: ['refused', ' It names what it does not take: range, type or page size.', false],
  401: ['unauthorised', KEY, false],
  403: ['unauthorised', KEY, false],
  404: ['refused', ' Check the base URL of the connection.', false],
  408: SERVER_ERROR,
  425: SERVER_ERROR,
  429: ['too-many-requests', ' It wants fewer requests in a time.', true],
}

/** Removes possible credentials from a URL. */
function destination(location: string | null, apiKey: string): string {
  if (location === null) return 'nowhere'
  const [place = ''] = covered(location, apiKey).split(/[?#]/)
  return quoted(place.replace(/\/\/[^/@]*@/, '//'))
}

function tooLarge(bytes: number, { pageSize }: SyncQuery): SweepProblem {
  const message = `The page has more than ${bytes.toLocaleString('en')} bytes, which is too large to be kept. Sweep again with a pageSize lower than ${pageSize}.`
  return problem('too-large', message, { bytes, pageSize, why: 'bytes' })
}

/** Returns no body: the beginning of such a page says no more than the count. */
function overlong({ answer }: Outcome, most: number, { pageSize }: SyncQuery): SyncFailure {
  const message = `The page has more than ${most.toLocaleString('en')} items, and ${pageSize} were asked for. Acuse stopped reading. The service ignores pageSize, so its pages have no known end; ask its operator.`
  const found = problem('too-large', message, { most, pageSize, why: 'items' })
  return { problem: found, passing: false, retryAfterMs: null, status: answer?.status ?? null, body: null }
}

function undecodable(answer: Answer): SweepProblem {
  const coding = headerOf(answer.headers, 'content-encoding') ?? ''
  const message = `The page came with the Content-Encoding ${quoted(coding)}, which could not be decoded.`
  return problem('not-json', message, { coding, why: 'coding' })
}

/** Maximum depth of the list of items: below the root object and one wrapper. Lists inside items are deeper. */
const DEEPEST = 3
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts list elements while a page's JSON arrives, so that an endless page is not read to its end. */
export class PageBound {
  readonly most: number
  /** A list has more than `most` elements. */
  over = false
  readonly #commas: number[] = []
  readonly #isList: boolean[] = []
  #depth = 0
  #inText = false
  #escaped = false

  /** @param pageSize as requested; a service may send up to ten times as many */
  constructor(pageSize: number) {
    this.most = Math.max(1_000, 10 * pageSize)
  }

  /** @returns whether to continue reading */
  take(piece: Uint8Array): boolean {
    for (let at = 0; at < piece.length && !this.over; at++) this.#byte(piece[at] ?? 0)
    return !this.over
  }

  #byte(byte: number): void {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#inText = false
    } else if (byte === QUOTE) this.#inText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#depth++
      if (this.#depth > DEEPEST) return
      this.#isList[this.#depth] = byte === OPEN_LIST
      this.#commas[this.#depth] = 0
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--
    else if (byte === COMMA && this.#depth <= DEEPEST && this.#isList[this.#depth]) {
      const commas = (this.#commas[this.#depth] ?? 0) + 1
      this.#commas[this.#depth] = commas
      this.over = commas >= this.most
    }
  }
}

interface PluginService extends Reached {
  readonly token: string
  /** An empty scheme sends the token alone (readings, plugins/events). */
  readonly pluginHeader: Connection['pluginHeader']
}

/** Publishes events of a plugin (Endpoints, plugins/events). Never retries, since the event may have arrived. */
export function createPluginPublisher(sender: Sender, service: PluginService): PluginPublisher {
  const { baseUrl, token, pluginHeader: header, timeouts, acceptAnyCertificate } = service
  return {
    async publish({ eventType, data }) {
      const url = `${baseUrl}${ROUTES.pluginEvents.path}`
      const credential = header.scheme === '' ? token : `${header.scheme} ${token}`
      // Built as text, so that the data keeps its exact digits.
      const rest = data === null ? '' : `,"data":${data}`
      const body = Buffer.from(`{"eventType":${JSON.stringify(eventType)}${rest}}`)
      const framing = ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
      const { answer, error, tookUs } = await sender.send({
        method: ROUTES.pluginEvents.method,
        url,
        headers: requestHeaders(url, header.name, credential, ...framing),
        body: bodyOf(body),
        timeouts,
        acceptAnyCertificate,
      })
      const said = (answered: Answer) => {
        const { status, headers } = answered
        const redirected = headerOf(headers, 'location') !== null
        return pluginAnswerText({ status, eventType, headerName: header.name, redirected }).en
      }
      return {
        ok: answer !== null && answer.status >= 200 && answer.status < 300 && !error,
        status: answer?.status ?? null,
        message: error?.message ?? (answer ? said(answer) : 'No answer came.'),
        error,
        tookUs,
        headers: answer?.headers.map((text) => covered(text, token)) ?? [],
        body: answer ? bodyText(answer, token, BODY_SHOWN) : '',
      } satisfies Published
    },
  }
}
