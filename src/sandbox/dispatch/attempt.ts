import { type Agent, type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { messageOf } from '../domain/refusal.ts'
import type { Answer, AttemptOutcome, Failure, NewEntry } from '../log/query.ts'
import type { CustomHeader } from '../records/subscriptions.ts'

const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'no authority that this machine trusts has signed it',
  SELF_SIGNED_CERT_IN_CHAIN: 'no authority that this machine trusts has signed it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the receiver does not send its intermediate certificates, or no trusted authority has signed them',
  UNABLE_TO_GET_ISSUER_CERT: 'the receiver does not send all of its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not trusted on this machine',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name than the one in the address',
}
/** Codes of errors that end once this machine trusts the certificate or its issuer. */
const CURED_BY_TRUST = /SELF_SIGNED|UNABLE_TO_/

/** Adds an explanation to the system's message where that one is obscure. */
export function failureOf(error: Error): Failure {
  // Node's error with several causes has an empty message.
  if (error instanceof AggregateError && error.message === '')
    return { code: 'connection', message: error.errors.map(messageOf).join('; ') }
  const code = 'code' in error ? String(error.code) : ''
  const why = CERTIFICATE[code]
  if (why !== undefined) {
    const cure = CURED_BY_TRUST.test(code)
      ? '; NODE_EXTRA_CA_CERTS names a file of certificates to trust'
      : ''
    return {
      code: 'certificate',
      message: `the receiver's certificate is not accepted: ${why} (${error.message})${cure}`,
    }
  }
  const notTls = code === 'EPROTO' || code.startsWith('ERR_SSL_')
  return notTls
    ? {
        code: 'not-tls',
        message: `the receiver does not speak TLS as expected; is it an http:// address? (${error.message.trim()})`,
      }
    : { code: 'connection', message: error.message }
}

export const STOPPED: Failure = { code: 'stopped', message: 'the sandbox was stopped' }

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: readonly CustomHeader[]
  readonly body: Buffer
}

/** The part of a log entry that an attempt determines. */
export interface Attempt extends Pick<NewEntry, 'requestHead' | 'answer' | 'error' | 'durationMs'> {
  readonly outcome: AttemptOutcome
}

/** Members of an entry without an event, which no count includes. */
export const NO_EVENT = { run: null, seq: null, subject: null, lost: false, laboratory: [] } as const

export interface AttemptOptions {
  readonly agent?: Agent
  readonly timeoutMs: number
  readonly cut?: boolean
  readonly signal?: AbortSignal
}

/** Bytes read of an answer's body. */
const ANSWER_LIMIT = 65_536

/** Sends once: no retry, no redirect; with a body, for GET too (Receiver contract, 1 and 2). Never rejects. */
export function attempt(outgoing: Outgoing, options: AttemptOptions): Promise<Attempt> {
  const { body, method } = outgoing
  const url = new URL(outgoing.url)
  const headers = completeHeaders(outgoing, url)
  const requestHead = headText(`${method} ${url.pathname}${url.search} HTTP/1.1`, headers)
  const began = performance.now()

  return new Promise((resolve) => {
    let settled = false
    let soFar: (() => Answer) | null = null
    const settle = (outcome: AttemptOutcome, error: Failure | null) => {
      if (settled) return
      settled = true
      const answer = soFar?.() ?? null
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', abort)
      resolve({ outcome, requestHead, answer, error, durationMs: performance.now() - began })
    }
    // A status counts as an answer, even when the rest of the answer fails.
    const fall = (outcome: AttemptOutcome, error: Failure) =>
      settle(soFar === null ? outcome : byStatus(soFar().status), error)

    const send = url.protocol === 'https:' ? overTls : overHttp
    const outgoingRequest = send({
      ...(options.agent ? { agent: options.agent } : {}),
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      // A sandbox choice: a receiver on this machine usually has a self-signed certificate.
      rejectUnauthorized: !LOOPBACK.test(url.hostname),
      port: url.port,
      method,
      path: `${url.pathname}${url.search}`,
      // Node sends a flat list unchanged and adds no header.
      headers: headers.flat(),
    })
    const timer = setTimeout(() => {
      // After a pause of this process an unread answer may be waiting, so give it one turn of the event loop.
      setImmediate(() => {
        if (settled) return
        fall('timed-out', { code: 'timeout', message: `no whole answer within ${options.timeoutMs} ms` })
        outgoingRequest.destroy()
      })
    }, options.timeoutMs)
    const abort = () => {
      fall('failed', STOPPED)
      outgoingRequest.destroy()
    }
    options.signal?.addEventListener('abort', abort)
    outgoingRequest.on('error', (error) => fall('failed', failureOf(error)))
    outgoingRequest.on('close', () =>
      fall('failed', { code: 'no-answer', message: 'the connection was closed without an answer' }),
    )
    outgoingRequest.on('response', (response) => {
      // Reuse a connection only when the receiver sends Keep-Alive: writing to one that it is closing would lose an event.
      if (response.headers['keep-alive'] === undefined) outgoingRequest.shouldKeepAlive = false
      soFar = collect(response, (error) => {
        settle(byStatus(response.statusCode ?? 0), error)
        if (!response.complete) outgoingRequest.destroy()
      })
    })
    if (options.signal?.aborted) abort()
    else if (options.cut)
      sendHalf(outgoingRequest, body, () => settle('cut', { code: 'cut', message: 'cut by the laboratory' }))
    else outgoingRequest.end(body)
  })
}

const byStatus = (status: number): AttemptOutcome => (status >= 200 && status < 300 ? 'delivered' : 'refused')

/**
 * @param done is called at the end with the failure of the body, or null
 * @returns a function that gives the answer received so far
 */
function collect(response: IncomingMessage, done: (error: Failure | null) => void): () => Answer {
  const pieces: Buffer[] = []
  let size = 0
  const status = response.statusCode ?? 0
  const pairs = response.rawHeaders.flatMap((name, i, all) =>
    i % 2 === 0 ? [[name, all[i + 1] ?? ''] as const] : [],
  )
  const line = `HTTP/${response.httpVersion} ${status} ${response.statusMessage ?? ''}`.trimEnd()
  const head = headText(line, pairs)
  response.on('data', (piece: Buffer) => {
    if (size > ANSWER_LIMIT) return
    pieces.push(piece)
    size += piece.length
    if (size > ANSWER_LIMIT) done(null)
  })
  response.on('end', () => done(null))
  response.on('error', (error) =>
    done({ code: 'answer-broken', message: `the answer broke off: ${failureOf(error).message}` }),
  )
  return () => ({
    status,
    head,
    body: Buffer.concat(pieces).subarray(0, ANSWER_LIMIT),
    truncated: size > ANSWER_LIMIT,
  })
}

/** Pause before the cut: the first half must leave, and the sender must not look slow. */
const BEFORE_CUT_MS = 20

function sendHalf(request: ClientRequest, body: Buffer, done: () => void): void {
  request.write(body.subarray(0, Math.max(1, body.length >> 1)), () => {
    setTimeout(() => {
      done()
      request.destroy()
    }, BEFORE_CUT_MS)
  })
}

function completeHeaders({ headers, body }: Outgoing, url: URL): (readonly [name: string, value: string])[] {
  const given = new Set(headers.map(({ name }) => name.toLowerCase()))
  const defaults = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['User-Agent', 'Acuse-Sandbox'],
  ] as const
  return [
    ['Host', url.host],
    ...defaults.filter(([name]) => !given.has(name.toLowerCase())),
    ['Content-Length', String(body.length)],
    ['Connection', 'keep-alive'],
    ...headers.map(({ name, value }) => [name, value] as const),
  ]
}

const headText = (first: string, headers: readonly (readonly [string, string])[]): string =>
  [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
