import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { AcuseError } from '#contract/errors.ts'
import { transfer } from '#threads/expose.ts'
import { KeptThread } from '#threads/kept-thread.ts'
import { Thread, type ThreadOptions } from '#threads/thread.ts'
import type { Pushes, TestHandlers } from './worker.ts'

const FILE = new URL('./worker.ts', import.meta.url)
const WAYS: readonly [string, () => Worker | ChildProcess][] = [
  ['a worker thread', () => new Worker(FILE)],
  ['a child process', () => fork(FILE, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })],
]

function begun(options: Partial<ThreadOptions<Pushes>> = {}) {
  const thread = new Thread<TestHandlers, Pushes>({
    start: () => new Worker(FILE),
    name: 'The test thread',
    ...options,
  })
  onTestFinished(() => thread.close())
  return thread
}

test.each(WAYS)('%s answers calls, and its errors keep their codes', async (_, start) => {
  const { call } = begun({ start })
  expect(await Promise.all([call.add(1, 2), call.add(3, 4)])).toEqual([3, 7])
  await expect(call.refuse()).rejects.toEqual(
    new AcuseError('conflict', 'It is there already.', { path: 'name' }),
  )
  await expect(call.break()).rejects.toEqual(new Error('too deep'))
  expect(await call.add(5, 6)).toBe(11)
})

test.each(WAYS)('%s pushes to its owner, and is told without an answer', async (_, start) => {
  const { promise, resolve } = Promise.withResolvers<unknown[]>()
  const { call, tell } = begun({
    start,
    pushes: { said: (...args) => resolve(args), waits: () => undefined },
  })
  await call.add(0, 0)
  tell.say('hello')
  expect(await promise).toEqual(['hello', 5])
})

test('a value that cannot be cloned rejects its call and no other', async () => {
  const { call } = begun()
  await expect(call.add((() => 1) as never, 1)).rejects.toThrow(/could not be cloned/)
  await expect(call.unclonable()).rejects.toThrow(/could not be cloned/)
  expect(await call.add(1, 1)).toBe(2)
})

test('marked memory moves along and comes back, all other memory is copied', async () => {
  const { call } = begun()
  const kept = new Uint8Array(10)
  expect(await call.size(kept)).toBe(10)
  expect(kept.byteLength).toBe(10)
  const given = new Uint8Array(1_000)
  const filled = await call.fill(transfer(given, given.buffer))
  expect(given.byteLength).toBe(0)
  expect([filled.byteLength, filled[999]]).toEqual([1_000, 7])
  // Only the view's part of a larger block.
  const view = await call.view()
  expect([...view]).toEqual([3, 3, 3, 3])
  expect((await call.nested(8)).bytes.byteLength).toBe(8)
})

test('an AbortSignal rejects the call at once and reaches the handler', async () => {
  const waits = Promise.withResolvers<void>()
  const { call } = begun({ pushes: { waits: () => waits.resolve(), said: () => undefined } })
  const abort = new AbortController()
  const asked = call.patient(abort.signal)
  await waits.promise
  abort.abort(new Error('changed my mind'))
  await expect(asked).rejects.toThrow('changed my mind')
  await expect.poll(() => call.log()).toEqual(['aborted'])
  await expect(call.patient(AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
})

test('a generator is read item by item, ends early where its reader does, and fails as a call fails', async () => {
  const { call } = begun()
  const all: number[] = []
  for await (const n of await call.count(3)) all.push(n)
  expect(all).toEqual([1, 2, 3])
  for await (const n of await call.count(1_000_000)) if (n === 2) break
  expect(await call.log()).toEqual(['counted', 'counted'])
  const failing = await call.fails()
  expect(await failing.next()).toEqual({ done: false, value: 1 })
  await expect(failing.next()).rejects.toMatchObject({ code: 'not-found' })
})

test.each(WAYS)('the end of %s rejects what waits; the next call begins another', async (_, start) => {
  const ended: AcuseError[] = []
  const thread = begun({ start, onEnd: (error) => ended.push(error) })
  const asked = [thread.call.patient(new AbortController().signal), thread.call.exit()]
  const gone = { code: 'store-failed', message: 'The test thread ended (code 3).' }
  expect(await Promise.allSettled(asked)).toMatchObject([{ reason: gone }, { reason: gone }])
  expect(ended).toMatchObject([gone])
  expect(thread.running).toBe(false)
  expect(await thread.call.add(1, 1)).toBe(2)
})

test.each(WAYS)('%s is ended in the middle of its work, and stays closed', async (_, start) => {
  const ended: AcuseError[] = []
  const thread = begun({ start, onEnd: (error) => ended.push(error) })
  await thread.call.add(0, 0)
  const spinning = expect(thread.call.spin()).rejects.toMatchObject({ code: 'store-failed' })
  await thread.stop()
  await spinning
  expect(await thread.call.add(1, 1)).toBe(2)
  await thread.close()
  await expect(thread.call.add(1, 1)).rejects.toMatchObject({ code: 'store-failed' })
  expect(ended).toEqual([])
})

test('a process that cannot be started rejects its calls', async () => {
  const thread = begun({
    start: () => fork('nowhere', { execPath: '/nowhere/node', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  })
  await expect(thread.call.add(1, 1)).rejects.toMatchObject({ code: 'store-failed' })
  await thread.close()
})

test('a kept thread that ends before its open is opened once, by its owner', async () => {
  const workers: Worker[] = []
  const start = () => workers[workers.push(new Worker(FILE)) - 1] as Worker
  const open = async (call: { log(): Promise<string[]> }) => void (await call.log())
  const thread = new KeptThread<TestHandlers>({ start, name: 'The thread', open, ended: () => undefined })
  onTestFinished(() => thread.close(() => Promise.resolve()))
  thread.start()
  thread.tell.exit()
  await once(workers[0] as Worker, 'exit')
  // Longer than the pause before a restart.
  await wait(500)
  expect(workers.length).toBe(1)
  await thread.open()
  expect(workers.length).toBe(2)
})
