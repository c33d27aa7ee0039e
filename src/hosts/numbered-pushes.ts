import type { Pushed } from '#contract/pushes.ts'
import type { Engine } from '#core/engine/engine.ts'

export interface PushWire {
  /** `handedOver` is called when the text has left this process, or never. */
  send(text: string, handedOver: () => void): void
  /** Bytes that the client has not taken yet. */
  waiting(): number
}

/** A client that leaves more than this unread skips pushes rather than filling our memory. */
const WAITING_LIMIT = 1_048_576

/**
 * Sends the engine's pushes to one client, numbered from 1. A slow client skips some: their numbers are missing, which tells it to ask
 * for a snapshot again. When it has caught up it gets the status at once, so that the gap shows even if nothing else happens.
 * @returns a function that ends it
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
        // The next push, whatever it is, shows the gap.
      },
    )
  }

  const unsubscribe = engine.subscribe(put)
  return () => {
    ended = true
    unsubscribe()
  }
}
