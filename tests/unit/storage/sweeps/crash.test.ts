import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { aSweep, storeIn } from './support.ts'

const CHILD = new URL('./saving-child.ts', import.meta.url).pathname
const PAGES = 300

/** @param lines after which the process is killed; null: it comes to its end */
async function run(folder: string, sweep: number, lines: number | null): Promise<void> {
  const child = spawn(process.execPath, [CHILD, folder, String(sweep), String(PAGES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text.split('\n').length - 1
    if (lines !== null && seen >= lines) child.kill('SIGKILL')
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(lines === null ? 0 : null)
}

test('killed between pages again and again: no page is lost, none is doubled', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const folder = tempFolder()
  const store = storeIn(folder)
  const { id } = store.add(aSweep({ walk: { next: 0 } }))
  store.close()
  for (const lines of [1, 40, 60]) await run(folder, id, lines)
  await run(folder, id, null)

  const after = storeIn(folder)
  // A killed process may have saved a page that it came not to write down, never the other way round.
  const saved = readFileSync(`${folder}/saved.txt`, 'utf8').trimEnd().split('\n').map(Number)
  expect(new Set(saved).size).toBe(saved.length)
  expect(PAGES - saved.length).toBeLessThanOrEqual(3)
  expect(after.get(id)).toMatchObject({
    ...{ state: 'complete', pages: PAGES, requests: PAGES, items: PAGES * 6, documents: PAGES * 5 + 1 },
    ...{ reached: String(PAGES - 1), endedAt: 9 },
  })
  for (const n of [0, 5, 777, PAGES * 5])
    expect(Buffer.from(after.item(id, `k${n}`) ?? []).toString()).toBe(`{"n":${n}}`)
  after.close()
  using file = new DatabaseSync(storeFiles(folder).sweeps)
  expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
})

test('what a former process left running is paused; a finished sweep stays as it is', () => {
  const folder = tempFolder()
  const store = storeIn(folder)
  const [running, done] = [store.add(aSweep()).id, store.add(aSweep()).id]
  store.change(done, { state: 'complete', endedAt: 7 })
  store.close()
  const next = storeIn(folder)
  expect(next.recover()).toEqual([running])
  expect(next.list().map(({ id, state }) => [id, state])).toEqual([
    [done, 'complete'],
    [running, 'paused'],
  ])
  expect(next.walk(running)).toEqual({ mode: 'walk' })
})
