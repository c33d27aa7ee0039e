import type { CommandName, Params, Result } from '#contract/commands.ts'
import { ERROR_CODES, type Refusal } from '#contract/errors.ts'
import type { Push } from '#contract/pushes.ts'
import { copyText } from './clipboard.ts'
import { createPushSocket } from './push-socket.ts'
import { RefusalError } from './refusal-error.ts'
import type { Platform } from './types.ts'

function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return false
  return typeof value.message === 'string' && ERROR_CODES.some((code) => code === value.code)
}

async function call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
  let response: Response
  try {
    response = await fetch(`/api/${command}`, {
      method: 'POST',
      // The header makes the request non-simple: no other site can send it without a preflight, which the host refuses.
      headers: { 'Content-Type': 'application/json', 'X-Acuse': '1' },
      body: JSON.stringify(params),
    })
  } catch (error) {
    throw new RefusalError({ code: 'not-available', message: String(error), command })
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body as Result<C>
  if (isRefusal(body)) throw new RefusalError(body)
  throw new RefusalError({ code: 'internal', message: `the host answered ${response.status}`, command })
}

/** The browser host: commands as `POST /api/<command>`, pushes over the WebSocket `/api/pushes`. */
export function createBrowserPlatform(): Platform {
  const url = new URL('/api/pushes', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = createPushSocket(() => new WebSocket(url))
  return {
    call,
    onPush: (listener: (push: Push) => void) => socket.onPush(listener),
    onConnection: (listener) => socket.onConnection(listener),
    copy: copyText,
    reconnect: () => socket.reconnect(),
  }
}
