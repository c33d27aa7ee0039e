import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hookReceiver } from '../../support/hook-receiver.ts'
import { outcomeOf } from '../../support/host.ts'
import { sharedFolder } from '../../support/temp-folder.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PROJECT = join(sharedFolder(), 'project')
const PACKED = join(PROJECT, 'node_modules/acuse')
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** What the empty project has beside the package: the package's dependencies, and tools of its own. */
const INSTALLED = [...Object.keys(dependencies), 'vitest', 'typescript', '@types/node']

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  expect([args[0], status, stderr.replace(/^npm notice.*\n/gm, '')]).toEqual([args[0], 0, expect.anything()])
  return stdout
}

/** Runs a program of the project, while this process answers for the handler. */
function inProject(args: readonly string[], env: object = {}) {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  return outcomeOf(child)
}

beforeAll(() => {
  mkdirSync(PACKED, { recursive: true })
  run(process.execPath, ['src/hosts/launch/library-types.mjs'], ROOT)
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', PROJECT], ROOT),
  )
  run('tar', ['-xzf', join(PROJECT, packed.filename), '-C', PACKED, '--strip-components', '1'], ROOT)
  for (const name of INSTALLED) {
    const place = join(PROJECT, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), place)
  }
  writeFileSync(join(PROJECT, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
}, 300_000)

test('the package has the built files, and no sources, tests or maps', () => {
  const all = run('find', [PACKED, '-type', 'f'], ROOT).split('\n').filter(Boolean)
  const inside = all.map((path) => path.slice(PACKED.length + 1))
  expect(inside).toEqual(
    expect.arrayContaining(['out/main/library.js', 'out/main/cli.js', 'out/renderer/index.html']),
  )
  for (const path of inside)
    expect(path).toMatch(
      /^(out\/(main|preload|renderer|types)|resources\/test-suite)\/|^[A-Z]+(\.md)?$|^package\.json$/,
    )
  expect(inside.filter((path) => path.endsWith('.map'))).toEqual([])
})

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
