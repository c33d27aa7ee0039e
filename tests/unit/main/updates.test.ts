import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { AppImageUpdater, NsisUpdater } from 'electron-updater'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { expect, it, vi } from 'vitest'
import { AppUpdates } from '../../../src/main/updates.ts'
import { opened } from '../../support/listening-port.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const NEW = Buffer.from('a newer version')
const sha512 = (bytes: Buffer) => createHash('sha512').update(bytes).digest('base64')

interface Feed {
  /** Bytes of the file that the feed describes; default: those that it sends. */
  readonly described?: Buffer
  readonly version?: string
  /** Answer of the signature's check on Windows: null when it is good. */
  readonly signature?: string | null
}

/** An installed app of version 1.0.0 with a feed on loopback. */
async function installed({ described = NEW, version = '1.1.0', signature }: Feed, feedOn = true) {
  const folder = tempFolder()
  const file = signature === undefined ? 'Acuse-1.1.0.AppImage' : 'Acuse-1.1.0.exe'
  const info = `version: ${version}\nfiles:\n  - url: ${file}\n    sha512: ${sha512(described)}\n    size: ${NEW.length}\npath: ${file}\nsha512: ${sha512(described)}\n`
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    const path = url.split('?')[0] ?? ''
    asked.push(path)
    if (path.endsWith('.yml')) response.end(info)
    else if (path.endsWith(file)) response.end(NEW)
    else response.writeHead(404).end()
  })
  const feed = `http://127.0.0.1:${await opened(server)}/feed/`
  mkdirSync(join(folder, 'cache'))
  writeFileSync(
    join(folder, 'app-update.yml'),
    'provider: generic\nurl: http://127.0.0.1/\npublisherName: [Acuse]\n',
  )
  const app = {
    ...{ version: '1.0.0', name: 'Acuse', isPackaged: true, userDataPath: folder },
    ...{ baseCachePath: join(folder, 'cache'), appUpdateConfigPath: join(folder, 'app-update.yml') },
    whenReady: () => Promise.resolve(),
    ...{ relaunch: () => undefined, quit: () => undefined, onQuit: () => undefined },
  }
  vi.stubEnv('APPIMAGE', join(folder, 'Acuse.AppImage'))
  const updater = signature === undefined ? new AppImageUpdater(null, app) : new NsisUpdater(null, app)
  // The requests of Electron's network, made by Node.
  Object.assign(updater, {
    httpExecutor: Object.assign(new ElectronHttpExecutor(), { createRequest: request }),
  })
  if (updater instanceof NsisUpdater) updater.verifyUpdateCodeSignature = async () => signature ?? null
  const quit = vi.spyOn(updater, 'quitAndInstall').mockImplementation(() => undefined)
  const happened: string[] = []
  quit.mockImplementation(() => void happened.push('install'))
  const updates = new AppUpdates({
    load: async () => updater,
    settings: () => ({ updateFeed: feedOn ? feed : null, updateDaily: false }),
    ask: (found) => void happened.push(`ask ${found}`),
    async end(install) {
      happened.push('end')
      install()
    },
  })
  const settled = () =>
    until(
      () => updates.state(),
      ({ state }) => state !== 'checking' && state !== 'downloading',
    )
  return { updates, asked, happened, settled, [Symbol.dispose]: () => server.close() }
}

it('a newer version: is downloaded, then asks, and is installed only when the user says so', async () => {
  using app = await installed({})
  await app.updates.check()
  expect(await app.settled()).toEqual({ state: 'ready', version: '1.1.0' })
  expect(app.happened).toEqual(['ask 1.1.0'])
  expect(app.updates.install()).toEqual({ state: 'installing', version: '1.1.0' })
  await vi.waitFor(() => expect(app.happened).toEqual(['ask 1.1.0', 'end', 'install']))
})

it.each([
  ['a file that is not what the feed describes', { described: Buffer.from('another version') }, 'bad-hash'],
  ['an installer that another publisher signed', { signature: 'signed by Other' }, 'bad-signature'],
  ['a feed without a version', { version: 'none' }, 'bad-feed'],
])('%s: is refused with its reason, and nothing can be installed', async (_, feed, reason) => {
  using app = await installed(feed)
  await app.updates.check()
  expect(await app.settled()).toEqual({ state: 'failed', reason, message: expect.stringMatching(/./) })
  app.updates.install()
  expect(app.happened).toEqual([])
})

it('an installer with a good signature: is accepted', async () => {
  using app = await installed({ signature: null })
  await app.updates.check()
  expect(await app.settled()).toEqual({ state: 'ready', version: '1.1.0' })
})

it('a version that is not newer: is left', async () => {
  using app = await installed({ version: '1.0.0' })
  expect(await app.updates.check()).toEqual({ state: 'current', checkedAt: expect.any(Number) })
  expect(app.asked).toEqual([expect.stringMatching(/latest.*\.yml$/)])
})

it('without a feed: nothing is asked', async () => {
  using app = await installed({}, false)
  expect(await app.updates.check()).toEqual({ state: 'off' })
  expect(app.asked).toEqual([])
})
