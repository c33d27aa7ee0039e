import WebSocket from 'ws'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { AcuseError, ERROR_CODES, type Refusal, refused } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { type KeptSocket, keepSocket } from '#core/kept-socket.ts'

/** An `acuse serve` elsewhere, over a session of its own. Only memory holds the session's key. */
export interface Remote extends Pick<Engine, 'call' | 'dispatch'> {
  /** Such as `https://hooks.example.com`. */
  readonly origin: string
  /** Opens a socket of numbered pushes, as the other host sends them; its owner keeps and closes it. */
  openPushes(): WebSocket
  /** As `openPushes`, and opens another socket whenever one is lost. */
  keepPushes(): KeptSocket
}

/** A start link, as `acuse link` prints it. */
export interface StartLink {
  readonly origin: string
  readonly token: string
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])
const TOKEN = /^#token=([\w-]{20,200})$/
/** For the exchange and the opening of a socket; a command may take as long as it needs. */
const PATIENCE_MS = 15_000

/**
 * Reads a start link. @param at origin to use in place of the link's, such as the near end of an SSH tunnel
 * @throws AcuseError `bad-params` when the text is no link, or the token would cross a network in the clear
 */
export function readStartLink(text: string, at?: string): StartLink {
  const link = URL.parse(text.trim())
  const token = TOKEN.exec(link?.hash ?? '')?.[1]
  if (!link || token === undefined) throw refused('bad-params', 'no-start-link')
  return { origin: safeOrigin(at ?? link.href), token }
}

/** @returns the origin of an address @throws AcuseError `bad-params` for an address that is neither HTTPS nor on this machine */
export function safeOrigin(address: string): string {
  const url = URL.parse(address)
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!url || !safe || url.username || url.password) throw refused('bad-params', 'unsafe-address')
  return url.origin
}

/**
 * Trades the link's token for a session. @param version our own: window and host must agree on every command
 * @throws AcuseError `forbidden` for a used link, `not-available` when no Acuse of this version answers
 */
export async function attachTo({ origin, token }: StartLink, version: string): Promise<Remote> {
  const answer = await ask(origin, 'session', token, {}, AbortSignal.timeout(PATIENCE_MS))
  if (answer.status === 401) throw refused('forbidden', 'link-used', { origin })
  const { key } = answer.body as { readonly key?: unknown }
  if (answer.status !== 200 || typeof key !== 'string')
    throw refused('not-available', 'no-acuse-there', { origin })
  const remote = remoteOf(origin, key)
  const { version: theirs } = await remote.call('app.info', {})
  if (theirs !== version) throw refused('not-available', 'other-version', { origin, theirs, version })
  return remote
}

function remoteOf(origin: string, key: string): Remote {
  const dispatch = async (command: string, params: unknown): Promise<unknown> => {
    const { status, body } = await ask(origin, encodeURIComponent(command), key, params)
    if (status === 200) return command === 'app.info' ? { ...(body as object), attachedTo: origin } : body
    if (status === 401) throw refused('forbidden', 'session-ended', { origin })
    if (status === 404 && !isRefusal(body))
      throw new AcuseError('unknown-command', `There is no command "${command}" at ${origin}.`)
    if (!isRefusal(body)) throw refused('not-available', 'no-acuse-there', { origin })
    throw new AcuseError(body.code, body.message, body.details)
  }
  const openPushes = () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/pushes`, ['acuse', key], {
      handshakeTimeout: PATIENCE_MS,
      perMessageDeflate: false,
    })
    // A failed attempt also ends in `close`.
    return socket.on('error', () => {})
  }
  return {
    origin,
    dispatch,
    call: <C extends CommandName>(command: C, params: Params<C>) =>
      dispatch(command, params) as Promise<Result<C>>,
    openPushes,
    keepPushes: () => keepSocket(openPushes),
  }
}

/** Posts to the other host; a redirect is an error, since it could carry the key elsewhere. */
async function ask(
  origin: string,
  path: string,
  key: string,
  params: unknown,
  signal: AbortSignal | null = null,
) {
  try {
    const response = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Acuse': key },
      body: JSON.stringify(params),
      redirect: 'error',
      signal,
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text) }
  } catch (error) {
    throw refused('not-available', 'remote-unreachable', { origin, reason: reasonOf(error) })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** `fetch` says only that it failed; the cause has the system's or the certificate's words. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

const isRefusal = (body: unknown): body is Refusal =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  ERROR_CODES.some((code) => code === body.code)
