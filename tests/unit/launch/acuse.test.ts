import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'acorn'
import { expect, test } from 'vitest'
import { followed } from '../../support/cli-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// The test cannot choose its own Node, so the package in a temporary folder demands a newer one. A script that starts the present Node
// is in the place of npm's package "node".

const COMMAND = 'src/hosts/launch/acuse.cjs'
const SOURCE = resolve(import.meta.dirname, '../../..', COMMAND)

interface Installation {
  readonly engines?: string
  /** The built command line. */
  readonly cli?: string
  /** Whether npm's package "node" is beside the package. */
  readonly node?: boolean
}

function installed({ engines = '>=99', cli = '', node = true }: Installation): string {
  const modules = join(tempFolder(), 'node_modules')
  const acuse = join(modules, 'acuse')
  for (const folder of ['src/hosts/launch', 'out/main']) mkdirSync(join(acuse, folder), { recursive: true })
  copyFileSync(SOURCE, join(acuse, COMMAND))
  writeFileSync(join(acuse, 'package.json'), JSON.stringify({ type: 'module', engines: { node: engines } }))
  writeFileSync(join(acuse, 'out/main/cli.js'), cli)
  const bin = join(modules, 'node/bin')
  mkdirSync(bin, { recursive: true })
  // It runs the command line itself, since the launcher refuses the present Node.
  const script = `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(acuse, 'out/main/cli.js')}' "$@"\n`
  if (node) writeFileSync(join(bin, 'node'), script, { mode: 0o700 })
  return join(acuse, COMMAND)
}

const start = (installation: Installation, args: readonly string[] = [], env: Record<string, string> = {}) =>
  followed(spawn(process.execPath, [installed(installation), ...args], { env: { ...process.env, ...env } }))

const ECHO =
  'process.stdin.pipe(process.stdout); process.stdin.on("end", () => process.exit(Number(process.argv[2])))'
const SIGNALLED =
  'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("up")'
const ALONE = `console.log(process.pid); setInterval(() => {}, 1000)
process.on('disconnect', () => { console.log('alone'); process.exit() })`
const REFUSAL = /^Acuse needs Node 99 or newer; this is [\d.]+\. [^\n]+ "npm install node@99"[^\n]+\n$/

test('any Node from the last fifteen years parses the command', () => {
  const source = readFileSync(SOURCE, 'utf8')
  expect(() => parse(source, { ecmaVersion: 5, allowHashBang: true })).not.toThrow()
})

test('under a Node that is new enough it runs the command line in the same process', async () => {
  const { child, ended, stdout } = start(
    { engines: '>=24', cli: 'console.log(process.pid, process.argv[2])' },
    ['x'],
  )
  expect([await ended, stdout()]).toEqual([0, `${child.pid} x\n`])
})

test('under an older Node: arguments, stdio and the exit code are those of the installed one', async () => {
  const { child, ended, stdout, stderr } = start({ cli: ECHO }, ['3'])
  child.stdin.end('through')
  expect([await ended, stdout(), stderr()]).toEqual([3, 'through', ''])
})

test('under an older Node: signals are forwarded', async () => {
  const { child, ended, says } = start({ cli: SIGNALLED })
  await says(/up/)
  child.kill('SIGTERM')
  expect(await ended).toBe(7)
})

test('under an older Node: an end by a signal is handed on', async () => {
  const { child, ended } = start({ cli: 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)' })
  expect([await ended, child.signalCode]).toEqual([null, 'SIGTERM'])
})

test('under an older Node: a killed starter is noticed, so that no host stays behind', async () => {
  const { child, says } = start({ cli: ALONE })
  await says(/\d/)
  child.kill('SIGKILL')
  await says(/alone/)
})

test.each<[string, Installation, Record<string, string>]>([
  ['without an installed Node', { node: false }, {}],
  ['with an installed Node that is too old itself', {}, { ACUSE_PINNED_NODE: '1' }],
])('under an older Node, %s: one sentence says what to do', async (_, installation, env) => {
  const { ended, stdout, stderr } = start(installation, [], env)
  expect([await ended, stdout(), stderr()]).toEqual([3, '', expect.stringMatching(REFUSAL)])
})
