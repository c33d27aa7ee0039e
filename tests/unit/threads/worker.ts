import { AcuseError } from '#contract/errors.ts'
import { expose, owner, transfer } from '#threads/expose.ts'

const to = owner<Pushes>()
const log: string[] = []

const handlers = {
  add: (a: number, b: number): number => a + b,
  refuse(): never {
    throw new AcuseError('conflict', 'It is there already.', { path: 'name' })
  },
  break: (): Promise<void> => Promise.reject(new RangeError('too deep')),
  unclonable: () => () => 1,
  size: (bytes: Uint8Array): number => bytes.byteLength,
  fill: (bytes: Uint8Array): Uint8Array => bytes.fill(7),
  view: (): Uint8Array => new Uint8Array(new ArrayBuffer(64), 16, 4).fill(3),
  nested: (length: number) => {
    const bytes = new Uint8Array(length)
    return transfer({ bytes }, bytes.buffer)
  },
  async patient(signal: AbortSignal): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve())
    to.waits()
    await promise
    log.push('aborted')
    return 'never read'
  },
  *count(upTo: number): Generator<number> {
    try {
      for (let n = 1; n <= upTo; n += 1) yield n
    } finally {
      log.push('counted')
    }
  },
  async *fails(): AsyncGenerator<number> {
    yield 1
    throw new AcuseError('not-found', 'There is no second one.')
  },
  log: (): string[] => log,
  say(word: string): void {
    to.said(word, word.length)
  },
  spin(): void {
    for (;;);
  },
  exit(): void {
    process.exit(3)
  },
}

expose(handlers)

export type TestHandlers = typeof handlers
export interface Pushes {
  said(word: string, length: number): void
  waits(): void
}
