import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Checker } from '#storage/checking/checker.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { aDelivery, openTestStore, testWorkers } from '../../../support/store.ts'

/** Takes the file and never answers, as a statement that reads for half a minute. */
const hanging = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'process.once("message", () => { for (;;); })'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

test('a good file has nothing wrong, a damaged one says what (reliability, row 6)', async () => {
  await using opened = await openTestStore()
  for (let n = 0; n < 40; n++) await opened.store.capture.append(aDelivery({ body: 'x'.repeat(20_000) }))
  const { folder } = opened
  const { captured } = storeFiles(folder)
  const checker = new Checker(captured, testWorkers.checker)
  expect(await checker.checkNow()).toBeNull()
  await opened.store.close()
  const file = openSync(captured, 'r+')
  for (let page = 8; page < 40; page++) writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, page * 16_384)
  closeSync(file)
  expect(await checker.checkNow()).toEqual(expect.any(String))
  await checker.close()
})

test('a check that lasts is cut off at once: nobody who quits or replaces the file waits for it (Command line, 5 s)', async () => {
  const made: ChildProcess[] = []
  const checker = new Checker('unused', () => {
    const child = hanging()
    made.push(child)
    return child
  })
  const [first, second] = [checker.checkNow(), checker.checkNow()]
  // Both are in the middle of it.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await checker.close()
  expect(made.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', 'SIGKILL'])
  // What was cut off has found nothing out.
  expect(await Promise.all([first, second])).toEqual([null, null])
})

test('a process that cannot be started has found nothing out', async () => {
  const missing = () => spawn('/nowhere/node', [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const checker = new Checker('unused', missing)
  expect(await checker.checkNow()).toBeNull()
  await checker.close()
})
