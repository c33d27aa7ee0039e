import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takenPort } from '../../../support/listening-port.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const WORKFLOW = readFileSync(join(ROOT, 'resources/test-suite/webhooks.yml'), 'utf8')

/** The steps of the workflow that have a script of their own, by name. */
const STEPS = [...WORKFLOW.matchAll(/- name: (.+)\n(?: {8}if: .+\n)? {8}run: \|\n((?: {10}.+\n)+)/g)].map(
  ([, name = '', script = '']) => ({ name, script: script.replace(/^ {10}/gm, '') }),
)

/** A handler that answers every event with one status. */
const HANDLER = `
import { createServer } from 'node:http'
createServer((request, response) => request.resume().on('end', () => response.writeHead(STATUS).end()))
  .listen(new URL(process.env.HANDLER).port, '127.0.0.1')
`

/** Runs the steps as the hosted CI does, each in a shell of its own. @returns the steps that failed */
async function failing(status: number, alter = (script: string) => script): Promise<readonly string[]> {
  const folder = tempFolder()
  writeFileSync(join(folder, 'handler.mjs'), HANDLER.replace('STATUS', String(status)))
  const command = join(folder, 'acuse')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'out/main/cli.js')}" "$@"\n`)
  chmodSync(command, 0o755)
  using port = await takenPort()
  const HANDLER_URL = `http://127.0.0.1:${port.port}/webhooks`
  port[Symbol.dispose]()
  const PATH = `${folder}:${resolve(process.execPath, '..')}:${process.env.PATH}`
  const env = { ...process.env, PATH, ACUSE_DATA: join(folder, '.acuse'), HANDLER: HANDLER_URL }
  onTestFinished(() => {
    for (const file of ['acuse.pid', 'handler.pid'])
      if (existsSync(join(folder, file)))
        spawnSync('kill', ['-9', readFileSync(join(folder, file), 'utf8').trim()], { stdio: 'ignore' })
  })
  const failed: string[] = []
  for (const { name, script } of STEPS) {
    const { status: code, stderr } = spawnSync('bash', ['-e', '-c', alter(script)], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (code !== 0) failed.push(`${name}: ${stderr}`)
  }
  return failed
}

test('the workflow of the guide passes with a handler that accepts every event', async () => {
  expect(STEPS).toHaveLength(7)
  expect(await failing(200)).toEqual([])
})

test('the workflow of the guide fails with a handler that refuses events', async () => {
  expect(await failing(500, (script) => script.replaceAll('--timeout 30', '--timeout 2'))).toEqual([
    expect.stringMatching(/^The handler accepts.*Timed out/s),
  ])
})
