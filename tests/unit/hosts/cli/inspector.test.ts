import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { connectLocal } from '#hosts/local/client.ts'
import { followed } from '../../../support/cli-process.ts'
import { startHost } from '../../../support/host.ts'
import { launchProject } from '../../../support/launch-project.ts'
import { descendants, listeningSockets } from '../../../support/processes.ts'

const ANY_PORT = '--inspect-port=0'

function running(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  // npm passes its own path in these variables, and the launch script would use it instead of the project's npm.
  const { npm_execpath: _npm, npm_node_execpath: _node, ...inherited } = process.env
  return followed(spawn(process.execPath, args, { env: { ...inherited, NODE_OPTIONS: ANY_PORT, ...env } }))
}

test('an inspector would be seen: plain Node opens one', async () => {
  const { child, says } = running(['-e', 'process.stdin.resume(); console.log("up")'])
  await says(/up/)
  expect(listeningSockets(child.pid ?? 0)).toEqual([])
  child.kill('SIGUSR1')
  await expect.poll(() => listeningSockets(child.pid ?? 0), { timeout: 15_000 }).not.toEqual([])
})

test('SIGUSR1 opens no inspector in the host or in what it started', async () => {
  const host = await startHost({ env: { NODE_OPTIONS: ANY_PORT } })
  onTestFinished(async () => void (await host.stop()))
  const family = descendants(host.pid)
  const before = family.map(listeningSockets)
  expect(before[0]).toHaveLength(2)
  for (const pid of family) process.kill(pid, 'SIGUSR1')
  const client = await connectLocal(host.dataDir)
  // These calls follow the signal, so an inspector would have opened by then.
  for (let i = 0; i < 20; i++) await client?.call('status.get', {})
  expect(family.map(listeningSockets)).toEqual(before)
  await client?.close()
})

test('nor in the script that starts it', async () => {
  const project = launchProject()
  const { child, ended, says } = running([`${project.root}/src/hosts/launch/run-cli.mjs`, 'wait'], {
    PATH: `${project.root}/../bin:/usr/bin:/bin`,
    INIT_CWD: project.root,
  })
  await says(/wait/)
  const [script = 0, command = 0] = descendants(child.pid ?? 0)
  expect(command).toBeGreaterThan(0)
  process.kill(script, 'SIGUSR1')
  // Many times longer than plain Node takes above.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(listeningSockets(script)).toEqual([])
  child.kill('SIGTERM')
  expect(await ended).toBe(5)
})
