import type { Transferable, Worker } from 'node:worker_threads'
import { AcuseError, messageOf } from '#contract/errors.ts'
import {
  type Answer,
  type Handlers,
  members,
  memoryOf,
  type OneWay,
  type PackedError,
  type Request,
} from './expose.ts'

/** A thread's functions for its owner. A generator becomes an AsyncGenerator. */
export type Remote<H> = {
  readonly [N in keyof H]: H[N] extends (...args: infer A) => infer R
    ? (
        ...args: A
      ) => Promise<R extends Generator<infer T> | AsyncGenerator<infer T> ? AsyncGenerator<T> : Awaited<R>>
    : never
}

/** A process with a channel for messages, as `fork` of node:child_process starts it. It emits `message`, `error` and `exit`. */
export interface Program extends NodeJS.EventEmitter {
  send(message: Request, done: () => void): unknown
  kill(signal: 'SIGKILL'): unknown
}

export interface ThreadOptions<P> {
  readonly start: () => Worker | Program
  /** Subject of messages, at the beginning of a sentence. */
  readonly name: string
  /** Receives the thread's pushes (`owner`). */
  readonly pushes?: OneWay<P>
  /** The thread ended by itself; its waiting calls have been rejected. */
  readonly onEnd?: (error: AcuseError) => void
}

/** A worker thread or child process, called through the functions that it exposes. After its end, the next call starts another one. */
export class Thread<H extends Handlers<H>, P extends Handlers<P> = object> {
  /** Rejects with the handler's error, with `store-failed` when the thread ends first, or with the reason of an aborted signal. */
  readonly call: Remote<H> = members((name, args) => this.ask(name, args))
  /** The same functions as one-way calls; dropped while no thread runs. */
  readonly tell: OneWay<H> = members((name, args) =>
    this.#present?.post({ type: 'call', id: null, name, args, signal: -1 }, args.flatMap(memoryOf)),
  )
  readonly #options: ThreadOptions<P>
  #present: Present | undefined
  #closed: AcuseError | undefined
  #closing: Promise<void> | undefined

  constructor(options: ThreadOptions<P>) {
    this.#options = options
  }

  get running(): boolean {
    return this.#present !== undefined
  }

  /** Starts the thread before its first call. */
  start(): void {
    if (!this.#closed) this.#begin()
  }

  /** `call` by name, for wrappers. */
  ask(name: string, args: unknown[]): Promise<unknown> {
    return this.#closed ? Promise.reject(this.#closed) : this.#begin().ask(name, args)
  }

  /** Ends the thread immediately; the next call starts another one. */
  async stop(): Promise<void> {
    const present = this.#present
    this.#present = undefined
    await present?.end(new AcuseError('store-failed', `${this.#options.name} was ended.`))
  }

  close(): Promise<void> {
    this.#closed ??= new AcuseError('store-failed', `${this.#options.name} is closed.`)
    this.#closing ??= this.stop()
    return this.#closing
  }

  #begin(): Present {
    if (this.#present) return this.#present
    const { start, name, pushes, onEnd } = this.#options
    const present: Present = new Present(start(), name, {
      push: (one, args) =>
        (pushes as Record<string, (...args: unknown[]) => void> | undefined)?.[one]?.(...args),
      ended: (error) => {
        if (this.#present !== present) return
        this.#present = undefined
        onEnd?.(error)
      },
    })
    this.#present = present
    return present
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

class Present {
  readonly #worker: Worker | Program
  readonly #waiting = new Map<number, Waiting>()
  readonly #exited: Promise<void>
  #next = 1
  #gone: AcuseError | undefined

  constructor(
    worker: Worker | Program,
    name: string,
    owner: { push(name: string, args: unknown[]): void; ended(error: AcuseError): void },
  ) {
    this.#worker = worker
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#exited = promise
    const gone = (how: string) => {
      resolve()
      if (this.#gone) return
      const error = new AcuseError('store-failed', `${name} ended (${how}).`)
      this.#reject(error)
      owner.ended(error)
    }
    // Node's types have different events for the two classes.
    const events: NodeJS.EventEmitter = worker
    events.on('message', (answer: Answer) =>
      answer.type === 'push' ? owner.push(answer.name, answer.args) : this.#take(answer),
    )
    events.on('error', (error: unknown) => gone(messageOf(error)))
    events.on('exit', (code: number | null) => gone(`code ${code}`))
  }

  post(request: Request, transferred: readonly Transferable[] = []): void {
    if (this.#gone) return
    if ('postMessage' in this.#worker) this.#worker.postMessage(request, transferred)
    else this.#worker.send(request, () => undefined)
  }

  ask(name: string, given: unknown[]): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone)
    const id = this.#next++
    const at = given.findIndex((one) => one instanceof AbortSignal)
    const signal = given[at]
    if (!(signal instanceof AbortSignal))
      return this.#send(id, { type: 'call', id, name, args: given, signal: -1 }, given.flatMap(memoryOf))
    if (signal.aborted) return Promise.reject(signal.reason)
    const args = given.with(at, null)
    const result = this.#send(id, { type: 'call', id, name, args, signal: at }, args.flatMap(memoryOf))
    const abort = () => {
      this.#settle(id)?.reject(signal.reason)
      this.post({ type: 'abort', id })
    }
    signal.addEventListener('abort', abort, { once: true })
    return result.finally(() => signal.removeEventListener('abort', abort))
  }

  async end(error: AcuseError): Promise<void> {
    this.#reject(error)
    if ('terminate' in this.#worker) await this.#worker.terminate()
    else {
      // A process that could not be started has no exit event, only an error.
      this.#worker.kill('SIGKILL')
      await this.#exited
    }
  }

  #send(id: number, request: Request, transferred?: readonly Transferable[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // Throws for values that cannot be cloned, so post before registering.
      this.post(request, transferred)
      this.#waiting.set(id, { resolve, reject })
    })
  }

  #take(answer: Exclude<Answer, { type: 'push' }>): void {
    const waiting = this.#settle(answer.id)
    if (answer.type === 'error') waiting?.reject(revive(answer.error))
    else waiting?.resolve(answer.type === 'stream' ? this.#items(answer.id) : answer.value)
  }

  async *#items(id: number): AsyncGenerator<unknown> {
    let done: boolean | undefined
    try {
      for (;;) {
        const item = (await this.#send(id, { type: 'next', id })) as IteratorResult<unknown>
        done = item.done
        if (done) return
        yield item.value
      }
    } finally {
      if (!done) this.post({ type: 'return', id })
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  #reject(error: AcuseError): void {
    this.#gone ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

const revive = ({ code, message, details }: PackedError): Error =>
  code === null ? new Error(message) : new AcuseError(code, message, details)
