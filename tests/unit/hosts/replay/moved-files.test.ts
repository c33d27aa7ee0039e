import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assembled } from '../../../support/assembled.ts'
import { aDelivery, anEvent, openTestStore } from '../../../support/store.ts'
import { aForward } from './support.ts'

test('replays.db that is removed meanwhile is written anew and told', { tags: 'long' }, async () => {
  const said: string[] = []
  const { host, close } = await assembled({ warn: (message) => said.push(message) })
  onTestFinished(close)
  const file = join(host.dataDir, 'replays.db')
  await host.engine.call('forwards.save', aForward({ name: 'on', targets: ['http://127.0.0.1:9/'] }))
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  await expect
    .poll(() => said.join('\n'), { timeout: 20_000 })
    .toMatch(/replays\.db was removed.*written anew/)
  expect(existsSync(file)).toBe(true)
  const { forwards } = await host.engine.call('forwards.list', {})
  expect(forwards.map(({ name }) => name)).toEqual(['on'])
})

test('derived.db that is removed while Acuse runs is made again', async () => {
  await using opened = await openTestStore()
  const { store, folder } = opened
  await Promise.all(
    Array.from({ length: 20 }, () => store.capture.append(aDelivery({ body: anEvent('x.y', {}) }))),
  )
  const judged = async () => {
    const { total, verdicts } = await store.deliveries['deliveries.summary']({ filter: '' })
    return total - verdicts.unjudged
  }
  await expect.poll(judged, { timeout: 20_000 }).toBe(20)
  const file = join(folder, 'derived.db')
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
  await expect.poll(judged, { timeout: 20_000 }).toBe(20)
  expect(store.status().incidents).toEqual([])
})
