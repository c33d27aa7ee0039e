import { afterEach, expect, test, vi } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { Library } from '#storage/facade/threads.ts'
import { testWorkers } from '../../../support/store.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

afterEach(() => void vi.useRealTimers())

/** A library over files that are not there: nothing can be opened. */
function closedLibrary() {
  const asked: string[] = []
  const answer = (name: string, failure?: Error) => async () => {
    asked.push(name)
    if (failure) throw failure
  }
  const library = new Library({
    files: storeFiles(tempFolder()),
    analysis: {
      open: answer('open', new Error('damaged')),
      release: answer('release'),
      close: answer('close'),
    },
    start: testWorkers.reader,
    reading: () => undefined,
    damaged: () => undefined,
  })
  return { library, opened: () => asked.filter((name) => name === 'open').length }
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
