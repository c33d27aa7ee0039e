import type { CommandName, Params, Result } from '#contract/commands.ts'
import { ERROR_CODES, type Refusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import { RefusalError } from './refusal-error.ts'
import { endSession } from './session.ts'
import type { ConnectionState, Platform } from './types.ts'
import { copyText } from './web.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000
/** The host sends something every 30 seconds; after twice that and a margin, the connection is broken, although it is open. */
const SILENCE_MS = 65_000

/** Keeps one WebSocket open for as long as the window lives, with growing pauses between attempts. */
function createPushSocket(open: () => WebSocket): Omit<Platform, 'call' | 'copy'> {
  const pushListeners = new Set<(push: Push) => void>()
  const connectionListeners = new Set<Parameters<Platform['onConnection']>[0]>()
  let state: ConnectionState = 'open'
  let retryAt: number | null = null
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let socket: WebSocket | undefined

  const tell = (next: ConnectionState, at: number | null) => {
    state = next
    retryAt = at
    for (const listener of connectionListeners) listener(state, retryAt)
  }
  const connect = () => {
    clearTimeout(timer)
    const opened = open()
    socket = opened
    const lose = () => {
      if (socket !== opened) return
      socket = undefined
      clearTimeout(silence)
      opened.close()
      // No jitter: one window, one local host.
      const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts)
      attempts += 1
      tell('lost', Date.now() + delay)
      timer = setTimeout(connect, delay)
    }
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(lose, SILENCE_MS)
    }
    opened.addEventListener('open', () => {
      attempts = 0
      tell('open', null)
    })
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (socket !== opened) return
      listen()
      if (typeof event.data !== 'string' || event.data === '') return
      const push = JSON.parse(event.data) as Push
      for (const listener of pushListeners) listener(push)
    })
    // A failed attempt too ends in `close`; `error` says nothing more.
    opened.addEventListener('close', lose)
    listen()
  }
  connect()
  return {
    onPush(listener) {
      pushListeners.add(listener)
      return () => pushListeners.delete(listener)
    },
    onConnection(listener) {
      connectionListeners.add(listener)
      if (socket?.readyState === WebSocket.OPEN || state === 'lost') listener(state, retryAt)
      return () => connectionListeners.delete(listener)
    },
    reconnect() {
      if (state === 'lost') connect()
    },
  }
}

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
  const socket = createPushSocket(() => new WebSocket(url, ['acuse', key]))
  // A WebSocket does not tell its page why it was refused; a command does, as after a restart of the host.
  socket.onConnection((state) => {
    if (state === 'lost') void call('app.info', {}).catch(() => {})
  })
  return { call, copy: copyText, ...socket }
}
