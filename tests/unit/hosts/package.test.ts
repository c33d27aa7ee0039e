import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { fetchAs, openLink } from '../../support/browser-session.ts'
import { followed } from '../../support/cli-process.ts'
import { hookReceiver } from '../../support/hook-receiver.ts'
import { outcomeOf } from '../../support/host.ts'
import { localRegistry } from '../../support/local-registry.ts'
import { sharedFolder, tempFolder } from '../../support/temp-folder.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = sharedFolder()
const PROJECT = join(FOLDER, 'project')
const PACKED = join(PROJECT, 'node_modules/acuse')
const { dependencies, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** Tools that the project has beside the package. */
const TOOLS = ['vitest', 'typescript', '@types/node']

let tarball: Buffer
/** What npm reads instead of the user's settings: our registry, and a cache of its own. */
let npmSettings: Record<string, string>

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  expect([args[0], status, stderr.replace(/^npm notice.*\n/gm, '')]).toEqual([args[0], 0, expect.anything()])
  return stdout
}

/** Runs a program in the project's folder, or another one, while this process answers for the handler. */
function start(program: string, args: readonly string[], env: object = {}, cwd = PROJECT) {
  const { ACUSE_DATA: _data, DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...inherited } = process.env
  return spawn(program, args, {
    cwd,
    env: { ...inherited, ...npmSettings, ...env },
    stdio: 'pipe',
    detached: true,
  })
}
const inProject = (args: readonly string[], env: object = {}) => outcomeOf(start(process.execPath, args, env))

beforeAll(async () => {
  mkdirSync(PROJECT)
  run(process.execPath, ['src/hosts/launch/library-types.mjs'], ROOT)
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', FOLDER], ROOT),
  )
  tarball = readFileSync(join(FOLDER, filename))
  npmSettings = {
    npm_config_registry: await localRegistry(tarball),
    npm_config_cache: join(FOLDER, 'cache'),
    npm_config_userconfig: join(FOLDER, 'npmrc'),
    npm_config_update_notifier: 'false',
  }
  writeFileSync(join(PROJECT, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  const installed = await outcomeOf(start('npm', ['install', join(FOLDER, filename)]))
  expect(installed).toMatchObject({ code: 0 })
  for (const name of TOOLS) {
    const place = join(PROJECT, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place)
  }
}, 300_000)

test('the package has the built files and its command, no sources, tests or maps, and at most 3 MB', () => {
  const all = run('find', [PACKED, '-type', 'f'], ROOT).split('\n').filter(Boolean)
  const inside = all.map((path) => path.slice(PACKED.length + 1))
  expect(inside).toEqual(
    expect.arrayContaining(['out/main/library.js', 'out/main/cli.js', 'out/renderer/index.html']),
  )
  for (const path of inside)
    expect(path).toMatch(
      /^(out\/(main|preload|renderer|types)|resources\/test-suite)\/|^[A-Z]+(\.md)?$|^package\.json$|^src\/hosts\/launch\/acuse\.cjs$/,
    )
  expect(inside.filter((path) => path.endsWith('.map'))).toEqual([])
  expect(tarball.length).toBeLessThan(3_000_000)
})

test('npm runs nothing of the package when it is installed', () => {
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
})

test('publint finds nothing in the manifest', async () => {
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true })
  expect(messages).toEqual([])
})

test('every way of resolving modules finds the types', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  // Node 24 requires ES modules; the test below does.
  const problems = 'problems' in analysis ? analysis.problems : expect.fail('no types')
  expect(problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([])
})

test('a CommonJS module can require the library', async () => {
  const script = 'console.log(require("acuse").kinds.length)'
  expect(await inProject(['--input-type=commonjs', '-e', script])).toMatchObject({ code: 0, stdout: '28\n' })
})

test('a script on the command line can start a receiver, whose threads do not take the flags of the script', async () => {
  const script = `const receiver = await (await import('acuse')).startReceiver(); await receiver.close(); console.log('closed')`
  expect(await inProject(['--input-type=module', '-e', script])).toMatchObject({
    code: 0,
    stdout: 'closed\n',
  })
})

test('waitFor names the option that is wrong', async () => {
  const wrong = '{ since: -1 }, { since: "today" }, { count: 0 }, { timeoutMs: Number.NaN }'
  const script = `import { startReceiver } from 'acuse'
    const receiver = await startReceiver()
    for (const options of [${wrong}]) await receiver.waitFor('', options).catch(({ message }) => console.log(message))
    await receiver.close()`
  writeFileSync(join(PROJECT, 'wait.mjs'), script)
  const { stdout, stderr } = await inProject(['wait.mjs'])
  const named = stdout.split('\n').map((line) => line.split(':')[0])
  expect([stderr, named]).toEqual(['', ['since', 'since', 'count', 'timeoutMs', '']])
})

/** Starts `npx acuse …` in the project, with a data folder of its own and a receiver on a free port. */
function npxAcuse(args: readonly string[], env: object = {}) {
  const ACUSE_DATA = join(tempFolder(), 'data')
  mkdirSync(ACUSE_DATA, { mode: 0o700 })
  writeFileSync(join(ACUSE_DATA, 'settings.json'), '{ "receiver": { "port": 0 } }')
  const child = start('npx', ['acuse', ...args], { ACUSE_DATA, ...env })
  const { says, stderr } = followed(child)
  /** As a terminal does, to the whole group of processes. @returns whether there was any */
  const send = (signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(-(child.pid ?? 0), signal)
    } catch {
      return false
    }
  }
  onTestFinished(() => void send('SIGKILL'))
  const ctrlC = () => {
    send('SIGINT')
    return vi.waitFor(() => expect(send(0)).toBe(false), { timeout: 15_000, interval: 50 })
  }
  return { says, stderr, ctrlC }
}

test('npx acuse in an empty folder fetches the package and runs it', async () => {
  const child = start('npx', ['--yes', 'acuse', 'validate', '--json', '-'], {}, tempFolder())
  child.stdin.end('{}')
  const { code, stdout } = await outcomeOf(child)
  expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ verdict: 'invalid' })])
}, 120_000)

test('npx acuse opens the window in the browser; without a display it prints the link', async () => {
  const folder = tempFolder()
  const page = join(folder, 'page')
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\ncp "$1" '${page}.part' && mv '${page}.part' '${page}'\n`,
    {
      mode: 0o700,
    },
  )
  const opened = npxAcuse([], {
    HOME: folder,
    DISPLAY: ':0',
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  })
  await vi.waitFor(() => existsSync(page) || expect.fail(opened.stderr()), { timeout: 20_000, interval: 50 })
  const [, link = ''] = /url=([^"]+)"/.exec(readFileSync(page, 'utf8')) ?? []
  expect((await fetchAs(new URL('/', link).href)).body).toContain('<title>Acuse</title>')
  expect((await openLink(link)).answer.status).toBe(200)
  await opened.ctrlC()

  const printed = npxAcuse([], { HOME: folder })
  await printed.says(/no display[^\n]+open the link yourself/)
  const [, told = ''] = await printed.says(/^Window +(http\S+)$/m)
  expect((await openLink(told)).answer.status).toBe(200)
  await printed.ctrlC()
}, 120_000)

test('npx acuse listen --forward-to hands a delivery to the handler', async () => {
  const handler = await hookReceiver()
  const listening = npxAcuse(['listen', '--forward-to', handler.url])
  const [url = ''] = await listening.says(/http:\/\/127\.0\.0\.1:(?!${handler.port})\d+\/(?= |$)/m)
  await fetchAs(url, { method: 'POST', body: '{"event":"factura.created"}' })
  await vi.waitFor(() =>
    expect(handler.received.map(({ body }) => String(body))).toEqual(['{"event":"factura.created"}']),
  )
  await listening.ctrlC()
}, 120_000)

/** A static import at the start of a line, or a dynamic one. */
const IMPORT = /^(?:import|export) (?:[^"\n]*from )?"([^"\n]+)"|\bimport\("([^"\n]+)"\)/gm

test('the library reaches only its dependencies: no Electron, and nothing of the window', () => {
  const files = new Set([join(PACKED, 'out/main/library.js')])
  const bare = new Set<string>()
  for (const file of files)
    for (const [, named, lazy = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = named ?? lazy
      if (name.startsWith('.')) files.add(join(dirname(file), name))
      else if (!isBuiltin(name)) bare.add(name)
    }
  expect(files.size).toBeGreaterThan(5)
  expect([...bare].filter((name) => !(name in dependencies))).toEqual([])
  for (const file of files) expect(existsSync(file)).toBe(true)
})

test.each([
  ['vitest', 'webhooks.vitest.mjs', ['node_modules/vitest/vitest.mjs', 'run'], /2 passed/],
  ['node:test', 'webhooks.node.mjs', ['--test'], /pass 2/],
])(
  'the example for %s passes in an empty project',
  async (_, example, args, passed) => {
    const name = example.replace(/\.\w+\.mjs$/, `.${args.length}.test.mjs`)
    copyFileSync(join(PACKED, 'resources/test-suite', example), join(PROJECT, name))
    const handler = await hookReceiver()
    const { code, stdout, stderr } = await inProject([...args, name], { HANDLER: handler.url, NO_COLOR: '1' })
    expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(passed)])
    expect(handler.received.length).toBeGreaterThan(3)
  },
  120_000,
)

test('the types describe the library, and find a wrong use', async () => {
  const right = `
    import { kinds, startReceiver, startSandbox, validateEvent, waitFor, type Delivery, type Kind } from 'acuse'
    const receiver = await startReceiver({ forwardTo: 'http://127.0.0.1:3000/' })
    const sandbox = await startSandbox({ sendTo: receiver })
    const outcome: 'delivered' | string | undefined = (await sandbox.emit('factura.created'))[0]?.outcome
    const found: readonly Delivery[] = await waitFor(receiver, 'kind:*', { count: 2, since: 'now' })
    const kind: Kind | null | undefined = found[0]?.kind
    console.log(kinds[0]?.group, validateEvent('{}').findings[0]?.pointer, kind, outcome)`
  writeFileSync(join(PROJECT, 'right.mts'), right)
  writeFileSync(join(PROJECT, 'wrong.mts'), right.replace("'factura.created'", "'factura.create'"))
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--ignoreConfig',
  ]
  const check = (file: string) => inProject(['node_modules/typescript/bin/tsc', ...options, file])
  expect(await check('right.mts')).toMatchObject({ code: 0, stdout: '' })
  expect((await check('wrong.mts')).stdout).toContain('"factura.create"')
}, 240_000)
