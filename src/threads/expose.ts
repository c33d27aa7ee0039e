import { parentPort, type Transferable } from 'node:worker_threads'
import { AcuseError, messageOf } from '#contract/errors.ts'

/** Functions that a thread exposes. Arguments and results are structured-cloned; see `transfer` for memory. */
export type Handlers<H> = { readonly [N in keyof H]: (...args: never[]) => unknown }

/** The same functions as one-way calls: the caller gets neither result nor failure. */
export type OneWay<H> = {
  readonly [N in keyof H]: H[N] extends (...args: infer A) => unknown ? (...args: A) => void : never
}

/** Message from the owner to the thread. A null id means a one-way call. */
export type Request =
  /** `signal`: index of the argument that is an AbortSignal; -1 for none. */
  | {
      readonly type: 'call'
      readonly id: number | null
      readonly name: string
      readonly args: unknown[]
      readonly signal: number
    }
  | { readonly type: 'abort' | 'next' | 'return'; readonly id: number }

export type Answer =
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: PackedError }
  /** The result is a sequence; the owner requests its items one by one. */
  | { readonly type: 'stream'; readonly id: number }
  | { readonly type: 'push'; readonly name: string; readonly args: unknown[] }

export interface PackedError {
  /** Null for an unexpected error. */
  readonly code: AcuseError['code'] | null
  readonly message: string
  readonly details: AcuseError['details']
}

/** Memory to transfer with a value instead of copying it. */
const memory = new WeakMap<object, readonly ArrayBuffer[]>()

/** Marks memory to transfer with a value to the other thread. After that, this thread cannot use the memory. */
export function transfer<T extends object>(value: T, ...buffers: readonly ArrayBufferLike[]): T {
  memory.set(
    value,
    buffers.filter((buffer) => buffer instanceof ArrayBuffer),
  )
  return value
}

export const memoryOf = (value: unknown): readonly Transferable[] =>
  typeof value === 'object' && value !== null ? (memory.get(value) ?? []) : []

/** A Uint8Array that spans its whole memory is transferred, so a handler that returns one must not keep another view of it. */
const memoryOfResult = (value: unknown): readonly Transferable[] =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.byteLength === value.buffer.byteLength &&
  value.byteLength > 0
    ? [value.buffer]
    : memoryOf(value)

/** The part of Electron's `process.parentPort` that a utility process uses. */
interface UtilityPort {
  on(event: 'message', listener: (event: { readonly data: Request }) => void): void
  postMessage(message: Answer): void
}
const utilityPort: UtilityPort | undefined = Reflect.get(process, 'parentPort')

function answer(message: Answer, transferred: readonly Transferable[] = []): void {
  if (parentPort) parentPort.postMessage(message, transferred)
  else if (utilityPort) utilityPort.postMessage(message)
  else process.send?.(message)
}

/** A proxy whose every member is a function that calls `take` with the member's name. */
export function members<T>(take: (name: string, args: unknown[]) => unknown): T {
  const made = new Map<string, (...args: unknown[]) => unknown>()
  return new Proxy(Object.create(null), {
    get(_, name) {
      // A promise that resolves to the proxy reads `then`; console and inspector read symbols.
      if (typeof name !== 'string' || name === 'then') return undefined
      const member = made.get(name) ?? ((...args: unknown[]) => take(name, args))
      made.set(name, member)
      return member
    },
  })
}

/** The owner's push functions, for use by the thread; they have no result. */
export const owner = <P extends Handlers<P>>(): OneWay<P> =>
  members((name, args) => answer({ type: 'push', name, args }, args.flatMap(memoryOf)))

/** Lets the owner of this thread, child process or utility process of Electron call these functions. Call it once. */
export function expose<H extends Handlers<H>>(handlers: H): void {
  const aborts = new Map<number, AbortController>()
  const streams = new Map<number, Iterator<unknown> | AsyncIterator<unknown>>()

  async function call(request: Extract<Request, { type: 'call' }>): Promise<void> {
    const { id, name, args, signal } = request
    if (id === null) {
      // No caller waits for a failure: it ends the thread, which the owner notices.
      invoke(handlers, name, args)
      return
    }
    if (signal >= 0) {
      const abort = new AbortController()
      aborts.set(id, abort)
      args[signal] = abort.signal
    }
    try {
      const value = await invoke(handlers, name, args)
      const stream = iteratorOf(value)
      if (stream) {
        streams.set(id, stream)
        answer({ type: 'stream', id })
      } else answer({ type: 'result', id, value }, memoryOfResult(value))
    } catch (error) {
      answer({ type: 'error', id, error: pack(error) })
    } finally {
      aborts.delete(id)
    }
  }

  async function advance(id: number, method: 'next' | 'return'): Promise<void> {
    const stream = streams.get(id)
    try {
      const result = (await stream?.[method]?.()) ?? { done: true, value: undefined }
      if (result.done) streams.delete(id)
      answer({ type: 'result', id, value: result }, memoryOfResult(result.value))
    } catch (error) {
      streams.delete(id)
      answer({ type: 'error', id, error: pack(error) })
    }
  }

  const take = (request: Request): void => {
    if (request.type === 'call') void call(request)
    else if (request.type === 'abort') aborts.get(request.id)?.abort()
    else void advance(request.id, request.type)
  }
  if (utilityPort) utilityPort.on('message', ({ data }) => take(data))
  else {
    const port = parentPort ?? (process.send ? process : undefined)
    if (!port) throw new Error('started without a parent')
    port.on('message', take)
  }
}

function invoke(handlers: object, name: string, args: unknown[]): unknown {
  const handler: unknown = Reflect.get(handlers, name)
  if (typeof handler !== 'function') throw new Error(`This thread has no function named ${name}.`)
  return handler.apply(handlers, args)
}

/** Generators only: arrays and bytes are iterable too, but are sent whole. */
function iteratorOf(value: unknown): Iterator<unknown> | AsyncIterator<unknown> | undefined {
  if (typeof value !== 'object' || value === null || !('next' in value)) return undefined
  return value as Iterator<unknown> | AsyncIterator<unknown>
}

function pack(error: unknown): PackedError {
  if (error instanceof AcuseError) return { code: error.code, message: error.message, details: error.details }
  return { code: null, message: messageOf(error), details: {} }
}
