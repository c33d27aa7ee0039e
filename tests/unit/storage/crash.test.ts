import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CHILD = new URL('../../support/appending-child.ts', import.meta.url).pathname

/** Starts a process that appends, kills it in the middle. @returns what it was told is safe */
async function killed(folder: string, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  await once(child.stdout, 'data')
  await wait(afterMs)
  child.kill('SIGKILL')
  await once(child, 'close')
  return out.split('\n').slice(0, -1)
}

test('after kill -9 everything that was acknowledged is there, once, and the file is sound (reliability, row 1)', async () => {
  const folder = tempFolder()
  const acknowledged: string[] = []
  for (const afterMs of [5, 120, 300]) acknowledged.push(...(await killed(folder, afterMs)))
  const before = Date.now()
  {
    await using opened = await openTestStore(folder)
    const { store } = opened
    expect(await store.deliveries.settled(15_000)).toBe(0)
    const spans = await store.coverage.list(0, Date.now() + 1_000)
    expect(spans.length).toBeGreaterThan(0)
    for (const [index, span] of spans.entries()) if (index > 0) expect(span.from).toBe(spans[index - 1]?.to)
    expect(spans.at(-1)?.to).toBeGreaterThanOrEqual(before - 1)
  }
  using db = new DatabaseSync(`${folder}/captured.db`)
  const stored = db
    .prepare('SELECT delivery_id AS id, CAST(body AS TEXT) AS body FROM payload')
    .all()
    .map(({ id, body }) => `${id} ${body}`)
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(new Set(stored).size).toBe(stored.length)
  expect(acknowledged.filter((line) => !stored.includes(line))).toEqual([])
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
})
