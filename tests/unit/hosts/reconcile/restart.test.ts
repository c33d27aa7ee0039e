import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSecrets } from '#hosts/secrets-file.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { business, ranged, reconcileHost } from './support.ts'

const CHILD = new URL('./sweeping-child.ts', import.meta.url).pathname

test('a sweep whose thread was killed in the middle is paused, and resumed gives the same result', async () => {
  const house = await business()
  await house.play('month', 80)
  const range = ranged({ pageSize: 3 })
  const whole = await house.call('sweeps.start', { connection: 'main', range })
  const expected = await house.sweep(whole.id, 'complete')
  const counts = (await house.call('reconciliation.summary', { sweep: whole.id })).counts

  const { id } = await house.call('sweeps.start', { connection: 'main', range })
  await house.sweep(id, ({ pages }) => pages > 3)
  await house.threads.at(-1)?.terminate()
  const paused = await house.sweep(id, 'paused')
  expect(paused.pages).toBeLessThan(expected.pages)
  expect(house.warnings.join()).toContain('Running sweeps are paused')
  await house.call('sweeps.resume', { id })
  const resumed = await house.sweep(id, 'complete')
  expect(resumed).toMatchObject({
    documents: expected.documents,
    items: expected.items,
    pages: expected.pages,
  })
  expect((await house.call('reconciliation.summary', { sweep: id })).counts).toEqual(counts)
})

test('a host that ends pauses its sweeps; the next one resumes them', async () => {
  const dataDir = tempFolder()
  const first = await business({ dataDir, secrets: await openSecrets(dataDir) })
  await first.play('month', 60)
  const range = ranged({ pageSize: 3 })
  const { id } = await first.call('sweeps.start', { connection: 'main', range })
  await first.sweep(id, ({ pages }) => pages > 2)
  await first.close()
  const second = await reconcileHost({ dataDir, secrets: await openSecrets(dataDir) })
  const left = await second.call('sweeps.get', { id })
  expect(left.state).toBe('paused')
  await second.call('sweeps.resume', { id })
  const resumed = await second.sweep(id, 'complete')
  const whole = await second.call('sweeps.start', { connection: 'main', range })
  const expected = await second.sweep(whole.id, 'complete')
  expect(resumed).toMatchObject({
    documents: expected.documents,
    items: expected.items,
    pages: expected.pages,
  })
})

test('a sweep that version 0.1 paused is refused on resume with a sentence, and nothing is claimed of its range', async () => {
  const dataDir = tempFolder()
  const first = await business({ dataDir, secrets: await openSecrets(dataDir) })
  await first.play('month', 20)
  const { id } = await first.call('sweeps.start', { connection: 'main', range: ranged({ pageSize: 2 }) })
  await first.sweep(id, ({ pages }) => pages > 2)
  await first.close()
  // Version 0.1 kept neither the beginning of the range nor whether its ends are listed.
  const db = new DatabaseSync(join(dataDir, 'sweeps.db'))
  db.exec(
    `UPDATE sweep SET walk = json_remove(walk, '$.walk.walk.begin', '$.walk.walk.ends', '$.walk.walk.edge') WHERE id = ${id}`,
  )
  db.close()
  const second = await reconcileHost({ dataDir, secrets: await openSecrets(dataDir) })
  await expect(second.call('sweeps.resume', { id })).rejects.toThrow('earlier version of Acuse')
  expect((await second.call('sweeps.get', { id })).state).toBe('paused')
  expect((await second.call('reconciliation.summary', { sweep: id })).counts['webhook-only']).toBe(0)
})

test('kill -9 of the process in the middle of a sweep: the next one resumes it, with the same result', async () => {
  const dataDir = tempFolder()
  const first = await business({ dataDir, secrets: await openSecrets(dataDir) })
  await first.play('month', 60)
  const range = ranged({ pageSize: 2 })
  const whole = await first.call('sweeps.start', { connection: 'main', range })
  const expected = await first.sweep(whole.id, 'complete')
  const { counts } = await first.call('reconciliation.summary', { sweep: whole.id })
  await first.close()

  const child = spawn(process.execPath, [CHILD, dataDir, JSON.stringify(range)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let id = 0
  child.stdout.setEncoding('utf8').on('data', (lines: string) => {
    const [sweep, pages] = lines.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
    id = sweep ?? 0
    if ((pages ?? 0) > 3) child.kill('SIGKILL')
  })
  const [code] = await once(child, 'close')
  expect(code).toBeNull()

  const second = await reconcileHost({ dataDir, secrets: await openSecrets(dataDir) })
  const left = await second.call('sweeps.get', { id })
  expect(left.state).toBe('paused')
  expect(left.pages).toBeGreaterThan(3)
  expect(left.pages).toBeLessThan(expected.pages)
  await second.call('sweeps.resume', { id })
  const resumed = await second.sweep(id, 'complete')
  const { documents, items, pages, reached, mapping } = expected
  expect(resumed).toMatchObject({ documents, items, pages, reached, mapping })
  expect((await second.call('reconciliation.summary', { sweep: id })).counts).toEqual(counts)
})
