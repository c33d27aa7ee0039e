import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AcuseError } from '#contract/errors.ts'
import { localAddress } from '#hosts/local/address.ts'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { serveLocal } from '#hosts/local/server.ts'
import { EngineDouble, QUIET_STATUS } from '../../../support/engine-double.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const INFO = { version: '1', dataDir: 'd', capabilities: {} as never }
const double = () =>
  new EngineDouble({
    'app.info': async () => INFO,
    'status.get': async () => QUIET_STATUS,
    'ui.link': async () => {
      throw new AcuseError('not-available', 'No window here.', { why: 'test' })
    },
  })

async function serving(dataDir = tempFolder(), engine = double()) {
  const server = await serveLocal({ engine, dataDir })
  onTestFinished(() => server.close())
  return { engine, dataDir, server }
}
async function connected(dataDir: string): Promise<LocalClient> {
  const client = (await connectLocal(dataDir)) ?? expect.fail('no host listens')
  onTestFinished(() => client.close())
  return client
}
function talk(path: string, bytes: string, count: number): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(bytes))
    let text = ''
    socket.on('data', (part) => {
      text += part
      const lines = text.split('\n')
      if (lines.length <= count) return
      socket.destroy()
      resolve(lines.slice(0, count).map((line) => JSON.parse(line)))
    })
    socket.on('error', reject)
  })
}

const REFUSED = { id: null, refusal: { code: 'bad-params' } }

test('local socket: answers what it cannot understand, and lines over 4 MiB, and goes on', async () => {
  const { server } = await serving()
  const partial = ['{"id":1}', '{"command":"app.info"}', '{"id":{},"command":"app.info"}']
  const bad = ['{', '1', '[]', ...partial, '\u0000', '"'].join('\n')
  const long = 'x'.repeat(4 * 1_048_576 + 1)
  const lines = await talk(server.path, `${bad}\n\n${long}\n{"id":"last","command":"app.info"}\n`, 10)
  expect(lines).toMatchObject([...Array(9).fill(REFUSED), { id: 'last', result: INFO }])
})

test('local socket: lets what is under way be answered before it closes', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof INFO>()
  const slow = new EngineDouble({ 'app.info': () => promise })
  const { dataDir, server } = await serving(tempFolder(), slow)
  const client = await connected(dataDir)
  const answer = client.call('app.info', {})
  while (slow.carriedOut.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const closed = server.close()
  resolve(INFO)
  expect(await answer).toEqual(INFO)
  await closed
  await expect(client.call('app.info', {})).rejects.toMatchObject({ code: 'not-available' })
  expect(await connectLocal(dataDir)).toBeNull()
})

test('finding a host: no host there is no error: no folder, no socket, a stale socket, a plain file', async () => {
  const folder = tempFolder()
  expect(await connectLocal(join(folder, 'absent'))).toBeNull()
  expect(await connectLocal(folder)).toBeNull()
  writeFileSync(join(folder, 'acuse.sock'), '')
  expect(await connectLocal(folder)).toBeNull()
})

test('finding a host: a folder with a long path is served from a private folder among the temporary files', async () => {
  const folder = join(tempFolder(), 'long-'.repeat(20))
  mkdirSync(folder)
  const { server } = await serving(folder)
  expect(Buffer.byteLength(server.path)).toBeLessThanOrEqual(100)
  expect(statSync(server.path).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(server.path)).mode & 0o777).toBe(0o700)
  expect(await (await connected(folder)).call('app.info', {})).toEqual(INFO)
})

test('finding a host: a folder among the temporary files that others can read is not used', async () => {
  const temp = tempFolder()
  vi.stubEnv('TMPDIR', temp)
  onTestFinished(() => void vi.unstubAllEnvs())
  const long = join(temp, 'long-'.repeat(20))
  mkdirSync(long)
  const shared = localAddress(long).folder ?? ''
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  await expect(serveLocal({ engine: double(), dataDir: long })).rejects.toMatchObject({ code: 'forbidden' })
})

test('finding a host: a host is found through a link to its folder', async () => {
  const { dataDir } = await serving()
  const link = join(tempFolder(), 'link')
  symlinkSync(dataDir, link)
  expect(await (await connected(link)).call('app.info', {})).toEqual(INFO)
})

test('finding a host: a stranger on the socket is told apart from a host', async () => {
  const folder = tempFolder()
  const stranger = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await once(stranger.listen(join(folder, 'acuse.sock')), 'listening')
  const client = await connected(folder)
  await expect(client.call('app.info', {})).rejects.toBeInstanceOf(AcuseError)
  await new Promise((resolve) => stranger.close(resolve))
})

test.runIf(process.getuid?.() === 0)('a uid of no user has its address, and is told of --data', () => {
  const source = (path: string) => new URL(`../../../../src/hosts/${path}`, import.meta.url).href
  const script = `
      const { localAddress, ensurePrivate } = await import(${JSON.stringify(source('local/address.ts'))})
      const { dataDir } = await import(${JSON.stringify(source('data-dir.ts'))})
      const address = localAddress('/tmp/' + 'long/'.repeat(40))
      ensurePrivate(address)
      let message = ''
      try { dataDir() } catch (error) { message = error.message }
      console.log(JSON.stringify({ folder: address.folder, message }))`
  const args = ['--no-warnings', '--input-type=module', '-e', script]
  const as = { uid: 54_321, gid: 54_321, env: {}, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, args, as)
  expect(stderr).toBe('')
  const { folder, message } = JSON.parse(stdout) as { folder: string; message: string }
  rmSync(folder, { recursive: true })
  expect(folder).toMatch(/acuse-54321$/)
  expect(message).toMatch(/say where the data goes with --data FOLDER or ACUSE_DATA/)
})
