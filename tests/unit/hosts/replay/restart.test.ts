import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { hasLeftOver } from '#storage/schema/replays.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { aForward } from '../../../support/records.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { jobTo, numbers, replayHost } from './support.ts'

const ALL = { type: 'filter', filter: '' } as const

test('a forward goes on by itself after a restart, with what its queue held; a temporary one is gone', async () => {
  let away = true
  const target = await hookReceiver((_, response) => response.writeHead(away ? 503 : 200).end())
  const dataDir = tempFolder()
  const first = await replayHost({ dataDir })
  await first.call('forwards.save', aForward({ targets: [target.url] }))
  await first.call('forwards.save', aForward({ name: 'passing', targets: [target.url], temporary: true }))
  await first.receive(3)
  await target.count(2)
  await first.close()
  away = false
  const before = target.received.length
  const second = await replayHost({ dataDir })
  await second.receive(1)
  const { forwards } = await until(
    () => second.call('forwards.list', {}),
    (list) => list.forwards[0]?.lanes[0]?.sent === 4,
  )
  expect(forwards.map(({ name }) => name)).toEqual(['live'])
  expect(numbers(target.received.slice(before))).toEqual([0, 1, 2, 0])
})

test('a forward whose filter is no longer understood says so, and the others go on', async () => {
  const target = await hookReceiver()
  const dataDir = tempFolder()
  const first = await replayHost({ dataDir })
  for (const name of ['old', 'live'])
    await first.call('forwards.save', aForward({ name, targets: [target.url], filter: 'kind:factura.*' }))
  await first.close()
  const db = new DatabaseSync(join(dataDir, 'replays.db'))
  db.exec(`UPDATE forward SET settings = replace(settings, 'kind:factura.*', 'kind:gone') WHERE name = 'old'`)
  db.close()
  const second = await replayHost({ dataDir })
  await second.receive(2)
  await target.count(2)
  expect(second.warnings.join()).toContain('The forward old waits: ')
  const rows = async () => (await second.call('forwards.list', {})).forwards
  const [old] = await rows()
  expect(old?.lanes[0]).toMatchObject({ state: 'stalled', stall: { code: 'filter' } })
  expect(old?.lanes[0]?.stall?.message).toContain('"gone"')
  // The count follows the target's receipt.
  await until(rows, ([, live]) => live?.lanes[0]?.state === 'idle' && live.lanes[0].stall === null)
  const { lanes: _, ...rule } = old ?? expect.fail('the forward is gone')
  await second.call('forwards.save', { ...rule, previousName: 'old', filter: '' })
  await until(rows, ([mended]) => mended?.lanes[0]?.state === 'idle')
})

test('a process that receives nothing replays by hand and by job, and leaves the forwards alone (acuse replay without a host)', async () => {
  const target = await hookReceiver()
  const dataDir = tempFolder()
  const first = await replayHost({ dataDir })
  await first.receive(3)
  await first.call('forwards.save', aForward({ targets: ['http://127.0.0.1:9/'] }))
  await first.receive(1)
  await first.close()
  const { call, job } = await replayHost({ dataDir, receiver: { enabled: false } })
  const { id } = await call('jobs.start', { source: ALL, options: jobTo(target.url) })
  expect(await job(id, 'done')).toMatchObject({ done: 4 })
  const { forwards } = await call('forwards.list', {})
  expect(forwards[0]?.lanes[0]).toMatchObject({ waiting: 1, state: 'idle' })
})

test('the end of a host waits for what is on its way, and records it', async () => {
  const open: (() => void)[] = []
  const target = await hookReceiver((_, response) => open.push(() => response.end()))
  const dataDir = tempFolder()
  const first = await replayHost({ dataDir })
  await first.receive(1)
  const { id } = await first.call('jobs.start', { source: ALL, options: jobTo(target.url) })
  await target.count(1)
  // The answer comes once the host is closing.
  setTimeout(() => open[0]?.(), 500)
  await first.close()
  const second = await replayHost({ dataDir })
  const { attempts } = await second.call('attempts.list', { of: { job: id }, limit: 9 })
  expect(attempts).toMatchObject([{ state: 'answered', ok: true }])
})

test('a restart begins the thread only for an unfinished job or a forward that is on', async () => {
  const dataDir = tempFolder()
  const { call, receive, job } = await replayHost({ dataDir })
  const steps: boolean[] = []
  const step = async (work: Promise<unknown>) => {
    await work
    steps.push(hasLeftOver(join(dataDir, 'replays.db')))
  }
  await step(receive(2))
  const target = 'http://127.0.0.1:9/'
  const forward = aForward({ targets: [target] })
  await step(call('forwards.save', { ...forward, temporary: true }))
  await step(call('forwards.save', { ...forward, previousName: 'live' }))
  await step(call('forwards.save', { ...forward, previousName: 'live', enabled: false }))
  const { id } = await call('jobs.start', {
    source: ALL,
    options: jobTo(target, { ratePerSecond: 0.01 }),
  })
  await step(job(id, 'running'))
  await step(call('jobs.cancel', { id }).then(() => job(id, 'cancelled')))
  expect(steps).toEqual([false, false, true, false, true, false])
})

test('replays.db that is removed meanwhile is written anew and told', async () => {
  const { host, call, warnings } = await replayHost()
  const file = join(host.dataDir, 'replays.db')
  await call('forwards.save', aForward({ name: 'on', targets: ['http://127.0.0.1:9/'] }))
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const told = expect.poll(() => warnings.join('\n'), { timeout: 20_000 })
  await told.toMatch(/replays\.db was removed.*rewrote it/)
  expect(existsSync(file)).toBe(true)
  expect((await call('forwards.list', {})).forwards.map(({ name }) => name)).toEqual(['on'])
})
