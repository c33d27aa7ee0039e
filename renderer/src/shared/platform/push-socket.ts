import type { Push } from '#contract/pushes.ts'
import type { ConnectionState } from './types.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000

type ConnectionListener = (state: ConnectionState, retryAt: number | null) => void

/** The milliseconds to wait before attempt `n` (0 being the first after a loss). No jitter: one window, one local host. */
export function retryDelay(n: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(n, 10))
}

export interface PushSocket {
  onPush(listener: (push: Push) => void): () => void
  onConnection(listener: ConnectionListener): () => void
  reconnect(): void
}

/** Keeps one WebSocket open for as long as the window lives, with growing pauses between attempts. */
export function createPushSocket(open: () => WebSocket): PushSocket {
  const pushListeners = new Set<(push: Push) => void>()
  const connectionListeners = new Set<ConnectionListener>()
  let state: ConnectionState = 'open'
  let retryAt: number | null = null
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
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
    opened.addEventListener('open', () => {
      attempts = 0
      tell('open', null)
    })
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (typeof event.data !== 'string') return
      const push = JSON.parse(event.data) as Push
      for (const listener of pushListeners) listener(push)
    })
    // A failed attempt too ends in `close`; `error` says nothing more.
    opened.addEventListener('close', () => {
      if (socket !== opened) return
      const delay = retryDelay(attempts)
      attempts += 1
      tell('lost', Date.now() + delay)
      timer = setTimeout(connect, delay)
    })
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
