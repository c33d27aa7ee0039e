import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { jobTo, replayHost } from './support.ts'

test('a target that is our own receiver is refused where it is saved, under each of its names (Loop guard)', async () => {
  const { call, receiverUrl } = await replayHost()
  const port = new URL(receiverUrl).port
  const save = (url: string) => call('targets.save', { ...DEFAULT_TARGET, name: 'back', url })
  for (const host of ['127.0.0.1', 'localhost', 'app.localhost', '[::ffff:127.0.0.1]'])
    await expect(save(`http://${host}:${port}/hook`)).rejects.toMatchObject({
      code: 'bad-params',
      message: expect.stringMatching(/^url: .*Acuse's own receiver.*Choose another target\.$/),
      details: { path: 'url', reason: 'own-receiver' },
    })
  expect((await call('settings.get', {})).targets).toEqual([])
  await expect(save('http://169.254.169.254/')).rejects.toMatchObject({
    details: { path: 'url', reason: 'destination-refused' },
  })
  // What cannot be looked up may be known to a proxy, or tomorrow.
  expect((await save('http://no-such-name.invalid/hook')).targets).toHaveLength(1)
})

test('a job to where nothing is ever sent is refused once, not for each of its deliveries', async () => {
  const { call, receive, receiverUrl } = await replayHost()
  await receive(2)
  const start = (url: string) =>
    call('jobs.start', { source: { type: 'filter', filter: '' }, options: jobTo(url) })
  for (const [url, reason] of [
    [receiverUrl, 'own-receiver'],
    ['http://169.254.169.254/', 'destination-refused'],
  ] as const)
    await expect(start(url)).rejects.toMatchObject({ details: { path: 'options.to.target', reason } })
  expect(await call('jobs.list', {})).toEqual({ jobs: [] })
})

test('a method that opens a tunnel is refused where a target is saved, and one that was kept makes no settings unreadable', async () => {
  const dataDir = tempFolder()
  const first = await replayHost({ dataDir })
  const wanted = { ...DEFAULT_TARGET, name: 'app', url: 'http://127.0.0.1:9/' }
  await expect(first.call('targets.save', { ...wanted, method: 'connect' })).rejects.toMatchObject({
    ...{ code: 'bad-params', details: { path: 'method' } },
    message: expect.stringContaining('CONNECT opens a tunnel'),
  })
  await first.call('targets.save', { ...wanted, method: 'PUT' })
  await first.close()
  const path = join(dataDir, 'settings.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"PUT"', '"CONNECT"'))
  const second = await replayHost({ dataDir })
  expect((await second.call('settings.get', {})).targets).toMatchObject([{ name: 'app', method: 'CONNECT' }])
})
