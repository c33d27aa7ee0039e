import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { Behind } from '#storage/facade/threads.ts'
import { storeFiles } from '#storage/files.ts'
import { testWorkers } from '../../../support/store.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** A thread that says what it is asked and can open nothing. */
const CLOSED = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ call, name }) => {
  parentPort.postMessage({ asked: name })
  parentPort.postMessage(name === 'open' ? { reply: call, error: { code: null, message: 'damaged', details: {} } } : { reply: call })
})`

afterEach(() => void vi.useRealTimers())

test('an opening that failed is not tried again while a database is replaced, and is afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const asked: string[] = []
  const thread = () => new Worker(CLOSED, { eval: true })
  const behind = new Behind(
    storeFiles(tempFolder()),
    { ...testWorkers, analyst: thread, reader: thread },
    {
      analyst: (message) => void asked.push(String((message as unknown as { asked: string }).asked)),
      reader: () => undefined,
      analysing: () => undefined,
      reading: () => undefined,
    },
    () => [],
  )
  const opened = () => asked.filter((name) => name === 'open').length
  behind.open()
  await behind.release()
  expect(opened()).toBe(1)
  vi.advanceTimersByTime(2_000)
  // Answered by the thread after anything that the timer may have asked it.
  await behind.release()
  expect(opened()).toBe(1)
  behind.open()
  await behind.release()
  expect(opened()).toBe(2)
  await behind.close()
})
