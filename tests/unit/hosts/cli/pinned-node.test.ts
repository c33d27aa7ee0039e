import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { followed } from '../../../support/cli-process.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

// The test cannot choose its own Node, so it calls the re-execution directly. A temporary project folder contains a
// "pinned node", a script that starts the present Node, in the place of npm's package of that name.

const SOURCE = resolve(import.meta.dirname, '../../../../src/hosts/cli/pinned-node.ts')

function project(child: string): string {
  const folder = tempFolder()
  const bin = join(folder, 'node_modules', 'node', 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  chmodSync(join(bin, 'node'), 0o700)
  copyFileSync(SOURCE, join(folder, 'pinned-node.ts'))
  writeFileSync(join(folder, 'child.mjs'), child)
  writeFileSync(
    join(folder, 'entry.mjs'),
    `import { runPinned } from './pinned-node.ts'\nawait runPinned([${JSON.stringify(join(folder, 'child.mjs'))}, ...process.argv.slice(2)])\n`,
  )
  return folder
}

const start = (folder: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  followed(spawn(process.execPath, [join(folder, 'entry.mjs'), ...args], { env: { ...process.env, ...env } }))

const ECHO =
  'process.stdin.pipe(process.stdout); process.stdin.on("end", () => process.exit(Number(process.argv[2])))'
const SIGNALLED =
  'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("up")'

const ALONE = `console.log(process.pid); setInterval(() => {}, 1000)
process.on('disconnect', () => { console.log('alone'); process.exit() })`

test('under an older Node: arguments, stdio and the exit code are those of the pinned one', async () => {
  const { child, ended, stdout, stderr } = start(project(ECHO), ['3'])
  child.stdin.end('through')
  expect([await ended, stdout(), stderr()]).toEqual([3, 'through', ''])
})

test('under an older Node: signals are forwarded', async () => {
  const { child, ended, says } = start(project(SIGNALLED))
  await says(/up/)
  child.kill('SIGTERM')
  expect(await ended).toBe(7)
})

test('under an older Node: an end by a signal is handed on', async () => {
  const { child, ended } = start(project('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)'))
  expect([await ended, child.signalCode]).toEqual([null, 'SIGTERM'])
})

test('under an older Node: a killed starter is noticed, so that no host stays behind', async () => {
  const { child, says } = start(project(ALONE))
  await says(/\d/)
  child.kill('SIGKILL')
  await says(/alone/)
})

test('under an older Node: a pinned Node that is too old itself ends it with a sentence instead of running in circles', async () => {
  const { ended, stderr } = start(project(ECHO), [], { ACUSE_PINNED_NODE: '1' })
  expect(await ended).toBe(3)
  expect(stderr()).toMatch(/^Acuse needs Node 24 or newer; this is [^\n]+ Run "npm install"[^\n]+\n$/)
})
