import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import { AcuseError, ERROR_CODES, type ErrorCode } from '#contract/errors.ts'

/** What a thread can be asked to do: name -> function. Arguments and results are structured-cloned. */
export type Calls<C> = { readonly [N in keyof C]: (...args: never[]) => unknown }

export interface CallMessage {
  readonly call: number
  readonly name: string
  readonly args: readonly unknown[]
}

interface Reply {
  readonly reply: number
  readonly result?: unknown
  readonly error?: {
    readonly code: string | null
    readonly message: string
    readonly details: AcuseError['details']
  }
}

/** The asking side of a thread: calls and their replies, and whatever else it says of its own accord. */
export class Link<C extends Calls<C>> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #next = 1
  #gone: Error | undefined
  #ending: Promise<number> | undefined

  /**
   * @param onMessage takes every message that is no reply
   * @param onGone told once when the thread ends, for whatever reason
   * @param what the thread is, at the beginning of a sentence
   */
  constructor(
    worker: Worker,
    onMessage: (message: unknown) => void,
    onGone: (error: Error) => void,
    what = 'A storage thread',
  ) {
    this.#worker = worker
    const gone = (error: Error) => {
      if (this.#gone) return
      this.#gone = error
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
      onGone(error)
    }
    worker.on('message', (message: unknown) => {
      if (!isReply(message)) return onMessage(message)
      const waiting = this.#waiting.get(message.reply)
      this.#waiting.delete(message.reply)
      if (message.error) waiting?.reject(revive(message.error))
      else waiting?.resolve(message.result)
    })
    worker.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => gone(new AcuseError('store-failed', `${what} ended (code ${code}).`)))
  }

  call<N extends keyof C & string>(name: N, ...args: Parameters<C[N]>): Promise<Awaited<ReturnType<C[N]>>> {
    return this.#ask(name, args, [])
  }

  /** A call to which the memory of some bytes goes along; copies of many megabytes would pile up in both threads. */
  lend<N extends keyof C & string>(
    { buffer }: Uint8Array,
    name: N,
    ...args: Parameters<C[N]>
  ): Promise<Awaited<ReturnType<C[N]>>> {
    return this.#ask(name, args, buffer instanceof ArrayBuffer ? [buffer] : [])
  }

  #ask<N extends keyof C & string>(
    name: N,
    args: Parameters<C[N]>,
    transfer: readonly Transferable[],
  ): Promise<Awaited<ReturnType<C[N]>>> {
    if (this.#gone) return Promise.reject(this.#gone)
    const call = this.#next++
    return new Promise<Awaited<ReturnType<C[N]>>>((resolve, reject) => {
      // The reply comes from the function of that very name, so it has that function's type.
      this.#waiting.set(call, { resolve: resolve as (value: unknown) => void, reject })
      this.#worker.postMessage({ call, name, args } satisfies CallMessage, transfer)
    })
  }

  post(message: unknown, transfer: readonly Transferable[] = []): void {
    if (!this.#gone) this.#worker.postMessage(message, transfer)
  }

  async end(): Promise<void> {
    // Asked for again and again while a long statement keeps the thread from ending.
    this.#ending ??= this.#worker.terminate()
    await this.#ending
  }
}

/** Carries out one call and posts its reply. */
export async function answerCall<C extends Calls<C>>(
  port: MessagePort,
  calls: C,
  message: CallMessage,
): Promise<void> {
  try {
    const call = (calls as Record<string, unknown>)[message.name]
    if (typeof call !== 'function') throw new Error(`no call named ${message.name}`)
    const result = await call(...message.args)
    // Memory that was lent goes back.
    const lent = result instanceof Uint8Array && result.buffer instanceof ArrayBuffer ? [result.buffer] : []
    port.postMessage({ reply: message.call, result } satisfies Reply, lent)
  } catch (error) {
    port.postMessage({
      reply: message.call,
      error: {
        code: error instanceof AcuseError ? error.code : null,
        message: error instanceof Error ? error.message : String(error),
        details: error instanceof AcuseError ? error.details : {},
      },
    } satisfies Reply)
  }
}

/** Lets a thread be asked by its parent. */
export function serveCalls<C extends Calls<C>>(port: MessagePort, calls: C): void {
  port.on('message', (message: unknown) => {
    if (isCall(message)) void answerCall(port, calls, message)
  })
}

export function isCall(message: unknown): message is CallMessage {
  return typeof message === 'object' && message !== null && 'call' in message
}

function isReply(message: unknown): message is Reply {
  return typeof message === 'object' && message !== null && 'reply' in message
}

function revive(error: NonNullable<Reply['error']>): Error {
  const code = ERROR_CODES.find((known) => known === error.code)
  return code
    ? new AcuseError(code satisfies ErrorCode, error.message, error.details)
    : new Error(error.message)
}
