import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasLeftOver } from '#storage/schema/replays.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { aForward, jobTo, replayHost } from './support.ts'

test('there is something to go on with when a job is not finished or a forward is on, and only then', async () => {
  const dataDir = tempFolder()
  const path = join(dataDir, 'replays.db')
  expect(hasLeftOver(path)).toBe(false)
  const target = await hookReceiver()
  const { call, receive, job } = await replayHost({ dataDir })
  const ids = await receive(2)
  const source = { type: 'ids', ids } as const
  const { id } = await call('jobs.start', { source, options: jobTo(target.url, { ratePerSecond: 0.01 }) })
  expect(hasLeftOver(path)).toBe(true)
  await call('jobs.cancel', { id })
  await job(id, 'cancelled')
  expect(hasLeftOver(path)).toBe(false)
  const forward = aForward({ targets: [target.url] })
  await call('forwards.save', { ...forward, temporary: true })
  expect(hasLeftOver(path)).toBe(false)
  await call('forwards.save', { ...forward, previousName: 'live' })
  expect(hasLeftOver(path)).toBe(true)
  await call('forwards.save', { ...forward, previousName: 'live', enabled: false })
  expect(hasLeftOver(path)).toBe(false)
})

test('a file that cannot be read counts as something: opening it says what is wrong', () => {
  const path = join(tempFolder(), 'replays.db')
  writeFileSync(path, 'no database '.repeat(1_000))
  expect(hasLeftOver(path)).toBe(true)
})
