import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect } from '@playwright/test'
import { beforeAll, it, expect as the } from 'vitest'
import { callInPage, openDesktop } from '../../support/desktop.ts'
import { appImageTools, linuxElectron, macElectron, RUNTIME } from '../../support/electron-dist.ts'
import { anEvent } from '../../support/events.ts'
import { installFromDebian } from '../../support/find-chromium.mjs'
import { opened } from '../../support/listening-port.ts'
import { sharedFolder, tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TOOLS = ['squashfs-tools', 'desktop-file-utils', 'p7zip-full', 'lintian', 'appstream', 'fakeroot']
const FEED = 'https://updates.example.org/acuse'
const folder = sharedFolder()
const [linux, mac, deb] = [join(folder, 'linux'), join(folder, 'mac'), join(folder, 'deb')]
const { devDependencies, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
let verifyArchive: typeof import('../../../packaging/archive.mjs').verifyArchive
let saidForMac = ''

/** Runs npm run package with an Electron of ours. @returns what it says */
async function packageWith(electron: string, out: string, ...flags: string[]): Promise<string> {
  const { CSC_LINK: _, CSC_NAME: __, DEBFULLNAME: ___, DEBEMAIL: ____, ...env } = process.env
  const { stdout, stderr } = await promisify(execFile)(
    'node',
    ['packaging/start.mjs', ...flags, '--out', out],
    {
      cwd: ROOT,
      env: {
        ...env,
        ELECTRON_OVERRIDE_DIST_PATH: electron,
        APPIMAGE_TOOLS_PATH: join(folder, 'tools'),
        ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za',
        ACUSE_UPDATE_FEED: FEED,
      },
    },
  )
  return stdout + stderr
}
const said = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const archiveIn = (tree: string) => join(tree, 'resources/app.asar')

beforeAll(async () => {
  const programs = ['lintian', '7za', 'unsquashfs', 'desktop-file-validate', 'fakeroot']
  if (!programs.every((program) => existsSync(`/usr/bin/${program}`)))
    the(await installFromDebian(...TOOLS), `needs from Debian: ${TOOLS.join(', ')}`).toBe(true)
  linuxElectron(join(folder, 'electron'), devDependencies.electron)
  macElectron(join(folder, 'electron-mac'))
  appImageTools(join(folder, 'tools'))
  await packageWith(join(folder, 'electron'), linux, '--linux')
  saidForMac = await packageWith(join(folder, 'electron-mac'), mac, '--mac', '--dir')
  ;({ verifyArchive } = await import('../../../packaging/archive.mjs'))
  said('dpkg-deb', '-x', join(linux, `Acuse-${version}-linux-amd64.deb`), deb)
}, 600_000)

it('the packaged app: holds what it runs and nothing for developers, and two builds of it are equal', () => {
  const { files, hash } = verifyArchive(archiveIn(join(linux, 'linux-unpacked')))
  the([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual([
    'LICENSE',
    'node_modules',
    'out',
    'package.json',
    'resources',
  ])
  the(readdirSync(linux).filter((name) => !/^Acuse-|^linux-unpacked$|\.yml$/.test(name))).toEqual([])
  the(readdirSync(linux)).not.toContain('builder-debug.yml')
  the(files.filter((file) => /\.(?:map|tsx?)$|(?:^|\/)tests?\//.test(file))).toEqual([])
  const packages = new Set(
    files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  )
  for (const shipped of ['express', 'ws', 'zod']) the(packages).toContain(shipped)
  for (const left of [...Object.keys(devDependencies), 'commander']) the(packages).not.toContain(left)
  const again = archiveIn(join(mac, 'mac/Acuse.app/Contents').replace(/$/, '')).replace(
    'resources',
    'Resources',
  )
  the(verifyArchive(again).hash).toBe(hash)
  the(readFileSync(again).equals(readFileSync(archiveIn(join(linux, 'linux-unpacked'))))).toBe(true)
})

it('the fuses: all nine are set, so that the installed app runs nothing but itself', () => {
  const program = join(ROOT, 'packaging/node_modules/@electron/fuses/dist/bin.js')
  for (const app of [join(linux, 'linux-unpacked/acuse'), join(mac, 'mac/Acuse.app')]) {
    const read = said('node', program, 'read', '--app', app)
    const states = [...stripVTControlCharacters(read).matchAll(/^ +(\w+) is (\w+)$/gm)]
    the(Object.fromEntries(states.map(([, name, state]) => [name, state]))).toEqual({
      RunAsNode: 'Disabled',
      EnableCookieEncryption: 'Enabled',
      EnableNodeOptionsEnvironmentVariable: 'Disabled',
      EnableNodeCliInspectArguments: 'Disabled',
      EnableEmbeddedAsarIntegrityValidation: 'Enabled',
      OnlyLoadAppFromAsar: 'Enabled',
      LoadBrowserProcessSpecificV8Snapshot: 'Disabled',
      GrantFileProtocolExtraPrivileges: 'Disabled',
      WasmTrapHandlers: 'Enabled',
    })
  }
})

it('an altered archive: is noticed, in a file by its hash in the header, in the header by the hash that Electron is given', () => {
  const plist = readFileSync(join(mac, 'mac/Acuse.app/Contents/Info.plist'), 'utf8')
  const given = /<key>hash<\/key>\s*<string>(\w{64})<\/string>/.exec(plist)?.[1]
  const tree = tempFolder()
  said('cp', '-r', `${join(linux, 'linux-unpacked')}/.`, tree)
  const archive = archiveIn(tree)
  the(verifyArchive(archive, given).hash).toBe(given)
  const sound = readFileSync(archive)
  const altered = Buffer.from(sound)
  altered[sound.length - 1] = (sound.at(-1) ?? 0) ^ 1
  writeFileSync(archive, altered)
  the(() => verifyArchive(archive, given)).toThrow(/is altered/)
  const started = spawnSync(join(tree, 'acuse'), ['--no-sandbox'], { encoding: 'utf8' })
  the([started.status, started.stderr]).toEqual([1, the.stringContaining('Integrity check failed')])
  // A header that agrees with an altered file does not agree with the hash that the binary holds.
  const at = sound.indexOf('"size":')
  writeFileSync(
    archive,
    Buffer.concat([sound.subarray(0, at), Buffer.from('"Size"'), sound.subarray(at + 6)]),
  )
  the(() => verifyArchive(archive, given)).toThrow(/header/)
})

it('macOS: registers files and links, and says in one line each what is not signed', () => {
  const plist = readFileSync(join(mac, 'mac/Acuse.app/Contents/Info.plist'), 'utf8').replaceAll(/\s+/g, '')
  the(plist).toContain('<key>CFBundleTypeExtensions</key><array><string>acuse</string>')
  the(plist).toContain('<key>CFBundleURLSchemes</key><array><string>acuse</string>')
  the(saidForMac.split('\n').filter((line) => line.startsWith('Skipped'))).toEqual([
    the.stringMatching(/^Skipped signing for mac: .*CSC_LINK/),
    the.stringMatching(/^Skipped notarisation for mac: .*APPLE_API_KEY/),
  ])
})

it('the Debian package: breaks no rule, and brings entry, metadata, type and icons', () => {
  const found = spawnSync('lintian', [join(linux, `Acuse-${version}-linux-amd64.deb`)], { encoding: 'utf8' })
  the(found.stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
  const share = join(deb, 'usr/share')
  said('desktop-file-validate', join(share, 'applications/acuse.desktop'))
  said('appstreamcli', 'validate', '--no-net', join(share, 'metainfo/app.acuse.Acuse.metainfo.xml'))
  const entry = readFileSync(join(share, 'applications/acuse.desktop'), 'utf8')
  the(entry).toMatch(/^MimeType=application\/vnd\.acuse\.session;x-scheme-handler\/acuse;$/m)
  the(readFileSync(join(share, 'mime/packages/acuse.xml'), 'utf8')).toContain('<glob pattern="*.acuse"/>')
  const sizes = [16, 24, 32, 48, 64, 128, 256, 512].map((size) => `${size}x${size}`)
  the(readdirSync(join(share, 'icons/hicolor')).sort()).toEqual([...sizes, 'scalable'].sort())
  for (const size of sizes) {
    const icon = readFileSync(join(share, `icons/hicolor/${size}/apps/acuse.png`))
    the(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(size)
  }
  // Chromium's sandbox for kernels that give users no namespaces.
  the(statSync(join(deb, 'usr/lib/acuse/chrome-sandbox')).mode & 0o7777).toBe(0o4755)
})

it('the AppImage: holds the app with its metadata, and the feed describes it', () => {
  const name = readdirSync(linux).find((one) => one.endsWith('.AppImage')) ?? ''
  const image = readFileSync(join(linux, name))
  const feed = readFileSync(join(linux, 'latest-linux.yml'), 'utf8')
  the(feed).toContain(`sha512: ${createHash('sha512').update(image).digest('base64')}`)
  the(feed).toContain(`size: ${image.length}`)
  const list = said('unsquashfs', '-o', String(RUNTIME.length), '-lls', join(linux, name))
  for (const part of [
    'AppRun',
    'acuse.desktop',
    'acuse',
    'resources/app.asar',
    'usr/share/metainfo/app.acuse.Acuse.metainfo.xml',
  ])
    the(list).toMatch(new RegExp(`squashfs-root/${part.replaceAll('.', '\\.')}(?:$| )`, 'm'))
  const entry = said('unsquashfs', '-o', String(RUNTIME.length), '-cat', join(linux, name), 'acuse.desktop')
  the(entry).toMatch(/^Exec=AppRun %U$/m)
})

it('npm run package: answers an unknown option with the known ones', () => {
  const { status, stderr } = spawnSync('node', ['packaging/start.mjs', '--macos'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  the([status, stderr]).toEqual([2, the.stringMatching(/--macos'\n.*--linux, --mac, --win/)])
  the(stderr).not.toContain(' at ')
})

it('an update: is refused with a wrong hash, waits for the user, and coverage says why the receiver was off', async () => {
  const place = tempFolder()
  const [data, appImage] = [join(place, 'data'), join(place, 'Acuse.AppImage')]
  const next = `#!/bin/sh\ntouch "${join(place, 'started')}"\n`
  writeFileSync(appImage, 'the present version')
  let described = 'something else'
  const server = createServer(({ url = '' }, response) => {
    const hash = createHash('sha512').update(described).digest('base64')
    const file = `url: Next.AppImage\n    sha512: ${hash}\n    size: ${next.length}`
    if (url.includes('latest'))
      response.end(`version: 99.0.0\nfiles:\n  - ${file}\npath: Next.AppImage\nsha512: ${hash}\n`)
    else response.end(next)
  })
  const updateFeed = `http://127.0.0.1:${await opened(server)}/`
  const start = () =>
    openDesktop(
      data,
      { APPIMAGE: appImage, XDG_CACHE_HOME: join(place, 'cache') },
      join(linux, 'linux-unpacked/acuse'),
    )
  const first = await start()
  const { page } = first
  await callInPage(page, 'settings.update', { desktop: { updateFeed }, appearance: { language: 'en' } })
  await page.evaluate(() => {
    location.hash = '#/settings/about'
  })
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('not the one that the feed describes')).toBeVisible()
  described = next
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('Version 99.0.0 is ready')).toBeVisible()
  the(readFileSync(appImage, 'utf8')).toBe('the present version')
  the((await fetch(first.receiverUrl, { method: 'POST', body: '{}' })).status).toBe(200)
  const ended = once(first.app.process(), 'exit')
  await page.getByRole('button', { name: 'Restart and install' }).click()
  the((await ended)[0]).toBe(0)
  server.close()
  the(readFileSync(appImage, 'utf8')).toBe(next)
  await until(() => existsSync(join(place, 'started')))

  await using again = await start()
  const listed = await callInPage(again.page, 'coverage.list', { from: 0, to: Date.now() })
  the(listed).toMatchObject({
    result: { spans: the.arrayContaining([the.objectContaining({ state: 'update' })]) },
  })
})

it.each([
  ['the Debian package', () => join(deb, 'usr/bin/acuse')],
  [
    'the tar.gz',
    () => {
      const tree = join(folder, 'tar')
      mkdirSync(tree, { recursive: true })
      said(
        'tar',
        '-xzf',
        join(linux, `Acuse-${version}-linux-x64.tar.gz`),
        '-C',
        tree,
        '--strip-components=1',
      )
      return join(tree, 'acuse')
    },
  ],
])('%s: what it installs starts, and shows what arrives', async (_, executable) => {
  await using desktop = await openDesktop(undefined, {}, executable())
  const body = JSON.stringify(anEvent('factura.created'))
  the((await fetch(desktop.receiverUrl, { method: 'POST', body })).status).toBe(200)
  await expect(desktop.page.getByText('factura.created').first()).toBeVisible()
})
