import type { ConnectionState, Push } from '#contract/pushes.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000
/** The host sends something every 30 seconds; after twice that and a margin, the connection is broken, although it is open. */
const SILENCE_MS = 65_000

type ConnectionListener = (state: ConnectionState, retryAt: number | null) => void

/** The part of a WebSocket that browsers and Node share. */
export interface PushSocket {
  readonly readyState: number
  addEventListener(type: 'open' | 'close', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}
const OPEN = 1

export type KeptSocket = ReturnType<typeof keepSocket>

/** Keeps one WebSocket of pushes open until `close`, with growing pauses between attempts. */
export function keepSocket(open: () => PushSocket) {
  const pushListeners = new Set<(push: Push) => void>()
  const connectionListeners = new Set<ConnectionListener>()
  let state: ConnectionState = 'open'
  let retryAt: number | null = null
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let socket: PushSocket | undefined

  const tell = (next: ConnectionState, at: number | null) => {
    state = next
    retryAt = at
    for (const listener of connectionListeners) listener(state, retryAt)
  }
  const connect = () => {
    clearTimeout(timer)
    const before = socket
    const opened = open()
    socket = opened
    before?.close()
    const lose = () => {
      if (socket !== opened) return
      socket = undefined
      clearTimeout(silence)
      opened.close()
      // No jitter: one window, one host.
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
      if (socket !== opened) return
      attempts = 0
      tell('open', null)
    })
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return
      listen()
      if (typeof data !== 'string' || data === '') return
      const push = JSON.parse(data) as Push
      for (const listener of pushListeners) listener(push)
    })
    // A failed attempt too ends in `close`; `error` says nothing more.
    opened.addEventListener('close', lose)
    listen()
  }
  connect()
  return {
    onPush(listener: (push: Push) => void) {
      pushListeners.add(listener)
      return () => pushListeners.delete(listener)
    },
    /** Calls the listener at once when the state is known. */
    onConnection(listener: ConnectionListener) {
      connectionListeners.add(listener)
      if (socket?.readyState === OPEN || state === 'lost') listener(state, retryAt)
      return () => connectionListeners.delete(listener)
    },
    reconnect() {
      if (state === 'lost') connect()
    },
    close() {
      const last = socket
      socket = undefined
      clearTimeout(timer)
      clearTimeout(silence)
      last?.close()
    },
  }
}
