import { chmodSync, readdirSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchAs, openLink } from '../../../support/browser-session.ts'
import { type HostStart, type RunningHost, runCli, startHost } from '../../../support/host.ts'
import { takenPort } from '../../../support/listening-port.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

async function serving(start: HostStart = {}): Promise<RunningHost> {
  const host = await startHost(start)
  onTestFinished(() => host.kill())
  return host
}
/** Delays the host's answers by the endpoint's setting. */
const delay = ({ dataDir }: RunningHost, ms: number) =>
  runCli(words`config set endpoint.default.answer.delayMs ${ms} --data ${dataDir}`)
const events = async (folder: string) => (await runCli(['events', '--json', '--data', folder])).stdout
const send = ({ receiverUrl }: RunningHost, body = '{}', headers: Record<string, string> = {}) =>
  fetch(receiverUrl, { method: 'POST', body, headers })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('acuse serve: receives, serves the window behind its one-time link, and stops with 0 on SIGTERM', async () => {
  const host = await serving()
  expect((await fetch(new URL('/hook', host.receiverUrl), { method: 'POST', body: '{}' })).status).toBe(200)
  const { origin, headers } = await openLink(host.uiUrl)
  const page = await fetchAs(`${origin}/`)
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  const call = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
  expect((await fetchAs(`${origin}/api/app.info`, call)).status).toBe(200)
  expect((await fetchAs(`${origin}/api/app.info`, { ...call, headers: {} })).status).toBe(401)
  expect(await host.stop()).toBe(0)
})

test('acuse serve: finishes a hundred deliveries first (reliability, row 10)', { tags: 'long' }, async () => {
  const host = await serving()
  expect((await delay(host, 1_500)).code).toBe(0)
  const inFlight = Array.from({ length: 100 }, () => send(host, 'late'))
  while ((await events(host.dataDir)).split('\n').length <= 100);
  const stopped = host.stop()
  const statuses = (await Promise.all(inFlight)).map(({ status }) => status)
  expect(statuses).toEqual(Array(100).fill(200))
  expect(await stopped).toBe(0)
})

// The delay is far longer than the test's time-out, so the end proves the deadline.
test('acuse serve: what cannot be finished is cut, and it ends with 0', { tags: 'long' }, async () => {
  const host = await serving({ dataDir: join(tempFolder(), 'data') })
  await delay(host, 60_000)
  const cut = expect(send(host, 'endless')).rejects.toThrow()
  const slow = connect(Number(new URL(host.receiverUrl).port), '127.0.0.1', () =>
    slow.write('POST / HTTP/1.1\r\n'),
  )
  slow.on('error', () => {})
  await pause(300)
  expect(await host.stop()).toBe(0)
  await cut
  expect(await events(host.dataDir)).toContain('"method":"POST"')
})

test('acuse serve: a second signal ends it at once', { tags: 'long' }, async () => {
  const host = await serving()
  await delay(host, 60_000)
  send(host, 'endless').catch(() => {})
  await pause(300)
  const first = host.stop()
  await pause(500)
  void host.stop()
  expect(await first).toBe(143)
})

test('acuse serve: a taken receiver port is said, with a free one, and the rest stays up', async () => {
  using taken = await takenPort()
  const { port } = taken
  const host = await serving({ args: ['--receiver-port', String(port)] })
  expect(host.receiverUrl).toBe('')
  expect(host.stderr()).toMatch(new RegExp(`port ${port} on 127\\.0\\.0\\.1 is in use\\. Port \\d+ is free`))
  expect((await openLink(host.uiUrl)).answer.status).toBe(200)
  expect(await host.stop()).toBe(0)
})

test('acuse serve: a taken window port is passed over and said', async () => {
  using taken = await takenPort()
  const host = await serving({ args: ['--ui-port', String(taken.port)] })
  const { port } = new URL(host.uiUrl)
  expect(port).not.toBe(String(taken.port))
  expect(host.stderr()).toContain(`Port ${taken.port} is taken, so the window is on port ${port}.`)
})

test('acuse serve: a second Acuse on the same data is refused in one sentence (reliability, row 24)', async () => {
  const host = await serving()
  await expect(startHost({ dataDir: host.dataDir })).rejects.toThrow(/ended with 3: [^\n]+\n$/)
  expect((await send(host)).status).toBe(200)
})

test('acuse serve: with --secret-header no delivery gets in without the secret; a header name that is none is refused', async () => {
  const env = { ACUSE_SECRET: 'canary-secret' }
  const refused = ['serve', '--data', join(tempFolder(), 'data'), '--secret-header', 'not a header']
  expect(await runCli(refused, { env })).toMatchObject({ code: 2, stdout: '' })
  const host = await serving({ args: ['--secret-header', 'X-Acuse-Key', '--no-ui'], env })
  expect((await send(host)).status).toBe(401)
  expect((await send(host, '{}', { 'X-Acuse-Key': 'canary-secret' })).status).toBe(200)
  expect(host.uiUrl).toBe('')
  expect(host.stderr()).not.toContain('canary-secret')
})

test('acuse serve: every file is this user’s alone (reliability, row 23)', { tags: 'long' }, async () => {
  for (const umask of [0o000, 0o022]) {
    const dataDir = join(tempFolder(), 'data')
    const before = process.umask(umask)
    const start = { dataDir, args: ['--secret-header', 'X-Key'], env: { ACUSE_SECRET: 'x' } }
    const host = await serving(start).finally(() => process.umask(before))
    await send(host)
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    expect(files).toContain('acuse.sock')
    for (const file of ['.', ...files]) {
      // SQLite may delete its -shm file between the listing and this call.
      const found = statSync(join(dataDir, file), { throwIfNoEntry: false })
      if (found) expect([file, found.mode & 0o077]).toEqual([file, 0])
    }
    await host.stop()
  }
})

test('acuse serve: a killed host is replaced by the next one on the same data', async () => {
  const dataDir = join(tempFolder(), 'data')
  const first = await serving({ dataDir })
  await send(first, '{"kept":true}')
  await first.kill()
  // A copy or restore may give the side files of a killed host other modes. Other users must not read them, but we must.
  const sides = readdirSync(dataDir).filter((name) => /\.db-(?:wal|shm)$/.test(name))
  expect(sides).toEqual(expect.arrayContaining(['captured.db-shm', 'captured.db-wal']))
  for (const [n, name] of sides.entries()) chmodSync(join(dataDir, name), n % 2 === 0 ? 0o666 : 0)
  const second = await serving({ dataDir })
  // The modes of derived.db change when the analyst opens it, which is after the receiver.
  const modes = () => sides.map((name) => (statSync(join(dataDir, name)).mode & 0o777).toString(8))
  await expect.poll(modes, { timeout: 10_000 }).toEqual(sides.map(() => '600'))
  expect((await events(dataDir)).trim().split('\n')).toHaveLength(1)
  expect(await second.stop()).toBe(0)
})
