import type { Pushed } from '#contract/pushes.ts'
import type { Engine } from '#core/engine/engine.ts'

export interface PushWire {
  /** Calls `handedOver` when the text has left this process; never after a failure. */
  send(text: string, handedOver: () => void): void
  /** @returns the number of bytes that the client has not read yet */
  waiting(): number
}

/** Unread bytes from which on a client misses pushes, so that it does not fill memory. */
const WAITING_LIMIT = 1_048_576

/**
 * Sends the engine's pushes to one client, numbered from 1. A slow client misses some. The gap in the numbers tells it to request
 * a new snapshot. When it has caught up, it gets the status at once, so that it sees the gap without another push.
 * @returns a function that stops the pushes
 */
export function numberedPushes(engine: Pick<Engine, 'call' | 'subscribe'>, wire: PushWire): () => void {
  let seq = 0
  let behind = false
  let ended = false

  function put(...[push, payload]: Pushed): void {
    seq += 1
    if (wire.waiting() > WAITING_LIMIT) behind = true
    else wire.send(JSON.stringify({ seq, push, payload }), handedOver)
  }

  function handedOver(): void {
    if (!behind || ended || wire.waiting() > 0) return
    behind = false
    engine.call('status.get', {}).then(
      (status) => {
        if (!ended) put('status.changed', status)
      },
      () => {
        // The next push shows the gap instead.
      },
    )
  }

  const unsubscribe = engine.subscribe(put)
  return () => {
    ended = true
    unsubscribe()
  }
}
