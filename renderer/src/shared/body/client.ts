import type { BodyDocument } from './body-document.ts'

/** Calls to the worker: the methods of a body document, and those that create and close it. */
type Calls = Omit<BodyDocument, 'closed'> & {
  open(params: { readonly bytes: number }): null
  close(params: Readonly<Record<string, never>>): null
}
type Call = keyof Calls
type Params<C extends Call> = Parameters<Calls[C]> extends [infer P] ? P : Readonly<Record<string, never>>
export type BodyResult<C extends Call> = Awaited<ReturnType<Calls[C]>>

export type BodyRequest = {
  [C in Call]: { readonly id: number; readonly doc: number; readonly call: C; readonly params: Params<C> }
}[Call]
export type BodyReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }

export interface BodyHandle {
  readonly doc: number
  call<C extends Call>(call: C, params: Params<C>): Promise<BodyResult<C>>
}

interface Waiting {
  resolve(result: never): void
  reject(error: Error): void
}

let worker: Worker | undefined
let lastId = 0
let lastDoc = 0
const waiting = new Map<number, Waiting>()

/** The worker can crash, mostly for lack of memory: pending calls are rejected, and the next body gets a new worker. */
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
    doc,
    call: (call, params) => {
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        started().postMessage({ id, doc, call, params })
      })
    },
  }
}
