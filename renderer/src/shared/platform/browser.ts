import type { CommandName, Params, Result } from '#contract/commands.ts'
import { ERROR_CODES, type Refusal } from '#contract/errors.ts'
import { keepSocket } from '#core/kept-socket.ts'
import { RefusalError } from './refusal-error.ts'
import type { Platform } from './types.ts'
import { copyText } from './web.ts'

function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return false
  return typeof value.message === 'string' && ERROR_CODES.some((code) => code === value.code)
}

async function post(key: string, command: string, params: unknown): Promise<Response> {
  try {
    return await fetch(`/api/${command}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Acuse': key },
      body: JSON.stringify(params),
    })
  } catch (error) {
    throw new RefusalError({ code: 'not-available', message: String(error), command })
  }
}

/** Commands as `POST /api/<command>`, pushes over a WebSocket. @param key of the session, which every request has to show */
export function createBrowserPlatform(key: string): Platform {
  async function call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    const response = await post(key, command, params)
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok) return body as Result<C>
    if (response.status === 401) endSession(key)
    if (isRefusal(body)) throw new RefusalError(body)
    throw new RefusalError({ code: 'internal', message: `the host answered ${response.status}`, command })
  }

  const url = new URL('/api/pushes', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  // Scripts cannot set a header of a WebSocket, but for its protocols.
  const { onPush, onConnection, reconnect } = keepSocket(() => new WebSocket(url, ['acuse', key]))
  // A WebSocket does not tell its page why it was refused; a command does, as after a restart of the host.
  onConnection((state) => {
    if (state === 'lost') void call('app.info', {}).catch(() => {})
  })
  return { call, copy: copyText, onPush, onConnection, reconnect }
}

/** Only pages of our own origin, which includes the port, can read it. */
const STORED = 'acuse.session'
const START_LINK = /^#token=([\w-]+)$/

/**
 * The key of this browser's session with the host, or null without one. A start link is taken out of the address before anything
 * else and traded for a key, which all tabs of this origin then share.
 */
export function takeSession(): Promise<string | null> {
  // A link pasted into an open window changes only the hash, and loads nothing.
  addEventListener('hashchange', () => {
    const token = takeToken()
    if (token !== null) void trade(token).then(() => location.reload())
  })
  const token = takeToken()
  return token === null ? Promise.resolve(storedSession()) : trade(token)
}

/** Forgets a key that the host no longer knows, and shows what is to be done then. */
function endSession(key: string): void {
  // Another tab may have opened a fresh link in the meantime.
  if (storedSession() === key) store(null)
  location.reload()
}

/** Runs once another tab has opened a session. */
export function onSession(run: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === STORED && event.newValue !== null) run()
  })
}

function takeToken(): string | null {
  const token = START_LINK.exec(location.hash)?.[1]
  if (token === undefined) return null
  history.replaceState(null, '', location.pathname)
  return token
}

async function trade(token: string): Promise<string | null> {
  const headers = { 'X-Acuse': token }
  const answer = await fetch('/api/session', { method: 'POST', headers }).catch(() => undefined)
  // A link that was used before still leads a browser with a session to the window.
  if (!answer?.ok) return storedSession()
  const { key } = (await answer.json()) as { readonly key: string }
  store(key)
  return key
}

function storedSession(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

function store(key: string | null): void {
  try {
    if (key === null) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, key)
  } catch {
    // Without storage the session lasts as long as the page.
  }
}
