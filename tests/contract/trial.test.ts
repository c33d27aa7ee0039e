import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { runCli } from '../support/host.ts'
import { descendants, processFile } from '../support/processes.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

test('a trial receives through its balancer, also when a receiver is killed, a follower sees all, and nothing stays', async () => {
  const trial = startCli(['receive', '--trial', '--receiver-port', '0', '--json'])
  const { balancer, receivers, log, data } = JSON.parse(await until(trial.stdout))
  // Each on a connection of its own, so the balancer comes to both receivers.
  const headers = { connection: 'close' }
  const post = async (path: string) =>
    (await fetch(`${balancer}${path}`, { method: 'POST', headers, body: '{}' })).status
  expect([await post('both/1'), await post('both/2')]).toEqual([200, 200])
  process.kill(receivers[0].pid, 'SIGKILL')
  expect([await post('one/1'), await post('one/2'), await post('one/3')]).toEqual([200, 200, 200])
  const copy = join(tempFolder(), 'copy')
  const follower = startCli(['follow', '--log', log, '--data', copy, '--from', 'oldest', '--no-ui', '--json'])
  await until(follower.stdout)
  const listed = () => runCli(['events', '--data', copy, '--json'])
  const { stdout } = await until(listed, ({ stdout: lines }) => lines.split('\n').length > 5)
  const paths = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line).url] : []))
  expect(paths.sort()).toEqual(['/both/1', '/both/2', '/one/1', '/one/2', '/one/3'])
  await follower.interrupt()
  const processes = descendants(trial.child.pid ?? 0)
  // Two databases with their own processes, and a receiver.
  expect(processes.length).toBeGreaterThan(10)
  expect(await trial.interrupt()).toBe(0)
  await until(() => processes.every((pid) => processFile(pid, 'cmdline') === ''))
  expect(existsSync(data)).toBe(false)
})

test('a trial without the programs of PostgreSQL, or with a shared log, says what to do', async () => {
  const missing = await runCli(['receive', '--trial'], { env: { ACUSE_POSTGRES_BIN: '/nowhere' } })
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('/nowhere/initdb')])
  const both = await runCli(['receive', '--trial', '--log', 'postgres://host/acuse'])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--log')])
})
