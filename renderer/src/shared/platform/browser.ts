import type { CommandName, Params, Result } from '#contract/commands.ts'
import { ERROR_CODES, type Refusal } from '#contract/errors.ts'
import { keepSocket } from '#core/kept-socket.ts'
import { RefusalError } from './refusal-error.ts'
import { endSession } from './session.ts'
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
