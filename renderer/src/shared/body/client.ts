import type { BodyCall, BodyCalls, BodyReply, BodyRequest } from './protocol.ts'

/** One body inside the worker. */
export interface BodyHandle {
  call<C extends BodyCall>(call: C, params: BodyCalls[C]['params']): Promise<BodyCalls[C]['result']>
}

interface Waiting {
  resolve(result: never): void
  reject(error: Error): void
}

let worker: Worker | undefined
let lastId = 0
let lastDoc = 0
const waiting = new Map<number, Waiting>()

/** The worker dies on what it cannot hold (memory, mostly): what waits is told, and the next body gets a new worker. */
function fail(message: string): void {
  worker?.terminate()
  worker = undefined
  for (const { reject } of waiting.values()) reject(new Error(message))
  waiting.clear()
}

function started(): Worker {
  if (worker) return worker
  const fresh = new Worker(new URL('./body-worker.ts', import.meta.url), { type: 'module', name: 'bodies' })
  fresh.addEventListener('message', ({ data }: MessageEvent<BodyReply>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('error' in data) asked?.reject(new Error(data.error))
    else asked?.resolve(data.result as never)
  })
  fresh.addEventListener('error', (event) => fail(event.message || 'the body worker failed'))
  fresh.addEventListener('messageerror', () => fail('the body worker could not be understood'))
  worker = fresh
  return fresh
}

/** A new, empty body. Call `close` on it when it is no longer shown. */
export function newBody(): BodyHandle {
  lastDoc += 1
  const doc = lastDoc
  return {
    call<C extends BodyCall>(call: C, params: BodyCalls[C]['params']): Promise<BodyCalls[C]['result']> {
      lastId += 1
      const request: BodyRequest<C> = { id: lastId, doc, call, params }
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        started().postMessage(request)
      })
    },
  }
}
