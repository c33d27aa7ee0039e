import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, vi } from 'vitest'
import { analyse } from '#core/checks/analyse.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { Analyst } from '#storage/analyst/analyst.ts'
import { createChecker } from '#storage/checking/checker.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { Library } from '#storage/facade/threads.ts'
import { overwrite, PAGE } from '../../reliability/damage-rounds.ts'
import { bodiesIn } from '../../support/filing-writer.ts'
import { aDelivery, anEvent, openTestStore, testWorkers } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { threadFile } from '../../support/threads.ts'
import { test } from './fixture.ts'

test('when a storage thread dies another takes over, and nobody is told yes for what it had (architecture)', async () => {
  const made: Worker[] = []
  const keep = (spawn: () => Worker) => () => {
    const worker = spawn()
    made.push(worker)
    return worker
  }
  await using opened = await openTestStore(undefined, {
    workers: {
      ...{ log: keep(testWorkers.log), writer: keep(testWorkers.writer), reader: keep(testWorkers.reader) },
      ...{ analyst: keep(testWorkers.analyst), checker: testWorkers.checker },
    },
  })
  const { store } = opened
  const began = Date.now()
  await store.coverage.enter('listening')
  await store.capture.append(aDelivery())
  await store.deliveries.settled(10_000)
  await store.deliveries.rows([1])
  for (const worker of made.splice(0)) await worker.terminate()
  await expect.poll(() => store.status().state, { timeout: 10_000 }).toBe('ok')
  const body = anEvent('customer.deactivated', { CustomerId: 1 })
  const again = await store.capture.append(aDelivery({ body }))
  expect(again.id).toBe(2)
  await expect
    .poll(async () => (await store.deliveries.rows([1, 2]).catch(() => [])).at(1)?.kind, { timeout: 10_000 })
    .toBe('customer.deactivated')
  // The receiver listened all the time.
  const spans = await store.coverage.list(began, Date.now(), true)
  expect(spans.map(({ state }) => state)).toEqual(['listening'])
})

test('a disk that refuses the log gives no false yes, and what it took before and after is filed, whatever the clock says', async () => {
  const folder = tempFolder()
  const ACUSE_TEST_FAULT = join(tempFolder(), 'fault')
  const execArgv = ['--import', new URL('../../support/faulty-disk.ts', import.meta.url).href]
  const env = { ...process.env, ACUSE_TEST_FAULT }
  const log = () => new Worker(threadFile('log/worker'), { execArgv, env })
  const taken: (string | undefined)[] = []
  {
    let now = Date.now()
    const clock = () => (now -= 60_000)
    await using opened = await openTestStore(folder, { workers: { ...testWorkers, log }, now: clock })
    const { store } = opened
    const put = async (body: string) => {
      const { id } = await store.capture.append(aDelivery({ body, receivedAt: clock() * 1_000 }))
      taken[id - 1] = body
    }
    for (const name of ['', 'write EIO', 'sync EIO', 'write ENOSPC']) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => put(`before ${name} ${n}`)))
      writeFileSync(ACUSE_TEST_FAULT, name)
      const refused = ['one', 'two'].map((body) => store.capture.append(aDelivery({ body })))
      if (name === '') taken.push('one', 'two')
      else {
        for (const one of refused) await expect(one).rejects.toMatchObject({ code: 'store-failed' })
        expect(store.status()).toMatchObject({ state: 'refusing' })
      }
      await Promise.allSettled(refused)
      writeFileSync(ACUSE_TEST_FAULT, '')
      await put(`after ${name}`)
      expect(store.status()).toMatchObject({ state: 'ok' })
    }
    await store.deliveries.settled(20_000)
    // Another program removes the segments: the log gives its open files their names again.
    for (const name of readdirSync(join(folder, 'log'))) rmSync(join(folder, 'log', name))
    await put('without segments')
    await store.deliveries.settled(20_000)
    expect((await store.verify()).damaged).toEqual([])
  }
  using db = new DatabaseSync(join(folder, 'captured.db'), { readOnly: true })
  expect(bodiesIn(db)).toEqual(taken)
})

test('a delivery whose analysis fails does not stop the ones behind it', async () => {
  const folder = tempFolder()
  const good = anEvent('customer.deactivated', { CustomerId: 1 })
  {
    await using opened = await openTestStore(folder)
    for (const body of [good, 'poison', good]) await opened.store.capture.append(aDelivery({ body }))
  }
  const paths = { captured: `${folder}/captured.db`, derived: `${folder}/derived.db`, rebuild: true }
  const analyst = new Analyst(paths, (judged, see) => {
    if ('bytes' in judged.body && Buffer.from(judged.body.bytes).toString() === 'poison')
      throw new RangeError('too deep')
    return analyse(judged, see)
  })
  expect(analyst.step()).toMatchObject({ firstId: 1, lastId: 3, count: 3 })
  expect(analyst.step()).toBeUndefined()
  analyst.close()
  await using again = await openTestStore(folder)
  const { rows } = await again.store.deliveries.page(EVERYTHING, { from: 0, limit: 9 })
  const told = ['customer.deactivated', 'unreadable', 'customer.deactivated']
  expect(rows.map(({ kind, verdict }) => kind ?? verdict)).toEqual(told)
})

afterEach(() => void vi.useRealTimers())

/** A library over missing files, none of which can be opened. */
function closedLibrary() {
  let opened = 0
  const nothing = async () => {}
  const library = new Library({
    files: storeFiles(tempFolder()),
    analysis: {
      open: async () => {
        opened += 1
        throw new Error('damaged')
      },
      ...{ release: nothing, close: nothing },
    },
    start: testWorkers.reader,
    reading: () => undefined,
    damaged: () => undefined,
    altered: () => undefined,
    filed: async () => undefined,
  })
  return { library, opened: () => opened }
}

test('an opening that failed is not tried again while a database is replaced, and is afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { library, opened } = closedLibrary()
  library.open()
  await library.release()
  expect(opened()).toBe(1)
  vi.advanceTimersByTime(2_000)
  await library.release()
  expect(opened()).toBe(1)
  library.open()
  await library.release()
  expect(opened()).toBe(2)
  await library.close()
})

test('a query waits while the files are closed, and ends with the failure of their opening', async () => {
  const { library } = closedLibrary()
  await library.release()
  const asked = library.reader['tags.list']()
  library.open()
  await expect(asked).rejects.toThrow('damaged')
  await library.close()
  await expect(library.reader['tags.list']()).rejects.toMatchObject({ code: 'store-failed' })
})

test('a check says what is wrong with a file (reliability, row 6)', async ({ folder, store }) => {
  for (let n = 0; n < 40; n++) await store.capture.append(aDelivery({ body: 'x'.repeat(20_000) }))
  const { captured } = storeFiles(folder)
  const checker = createChecker(captured, testWorkers.checker)
  expect(await checker.checkNow()).toBeNull()
  await store.close()
  for (let page = 8; page < 40; page++) overwrite(captured, page * PAGE, Buffer.alloc(4_096, 0xff))
  expect(await checker.checkNow()).toEqual(expect.any(String))
  await checker.close()
})

test('a check that lasts is cut off at once: nobody who quits or replaces the file waits for it (Command line, 5 s)', async () => {
  const made: ChildProcess[] = []
  const checker = createChecker('unused', () => {
    // Receives the file and never answers, like a statement that reads for half a minute.
    const forever = ['-e', 'process.once("message", () => { for (;;); })']
    const child = spawn(process.execPath, forever, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    made.push(child)
    return child
  })
  const [first, second] = [checker.checkNow(), checker.verify({ folder: 'unused', upTo: 0 })]
  await new Promise((resolve) => setTimeout(resolve, 300))
  await checker.cutOff('file is damaged')
  expect(made.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', 'SIGKILL'])
  // An interrupted check has no result; a verification knows why it was interrupted.
  expect(await first).toBeNull()
  expect(await second).toMatchObject({ database: 'file is damaged', checked: 0 })
})
