import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { runCli } from '../support/host.ts'
import { descendants, processFile } from '../support/processes.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const hasEnded = (pid: number) => processFile(pid, 'cmdline') === ''
const codeOf = ({ cause }: { cause?: { code?: string } }) => cause?.code ?? ''

test('a trial receives through its balancer, also when a receiver is killed, a follower sees all, and nothing stays', async () => {
  const trial = startCli(['receive', '--trial', '--receiver-port', '0', '--json'])
  const { balancer, receivers, log, data } = JSON.parse(await until(trial.stdout))
  // Each on a connection of its own, so the balancer comes to both receivers.
  const headers = { connection: 'close' }
  const post = async (path: string) =>
    (await fetch(`${balancer}${path}`, { method: 'POST', headers, body: '{}' })).status
  expect([await post('both/1'), await post('both/2')]).toEqual([200, 200])
  process.kill(receivers[0].pid, 'SIGKILL')
  // A process that is ending takes connections for a moment, and closes them.
  await until(
    () => fetch(receivers[0].url).then(() => '', codeOf),
    (code) => code === 'ECONNREFUSED',
  )
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
  await until(() => processes.every(hasEnded))
  expect(existsSync(data)).toBe(false)
})

test('a trial that is killed leaves no process', async () => {
  const trial = startCli(['receive', '--trial', '--receiver-port', '0', '--json'])
  const { data } = JSON.parse(await until(trial.stdout))
  onTestFinished(() => rmSync(data, { recursive: true, maxRetries: 3 }))
  const processes = descendants(trial.child.pid ?? 0)
  expect(processes.length).toBeGreaterThan(10)
  trial.child.kill('SIGKILL')
  await until(() => processes.every(hasEnded))
})

test('a trial that was killed while it made its folder is begun again by the next one', {
  tags: 'long',
}, async () => {
  const folder = tempFolder()
  const args = ['receive', '--trial', '--receiver-port', '0', '--json', '--data', folder]
  const killed = startCli(args)
  await until(() => readdirSync(folder).some((name) => name.startsWith('postgres')))
  killed.child.kill('SIGKILL')
  const trial = startCli(args)
  const { balancer } = JSON.parse(await until(trial.stdout))
  expect((await fetch(balancer, { method: 'POST', body: '{}' })).status).toBe(200)
  expect(await trial.interrupt()).toBe(0)
})

test('a trial without the programs of PostgreSQL, or with a shared log, says what to do', async () => {
  const missing = await runCli(['receive', '--trial'], { env: { ACUSE_POSTGRES_BIN: '/nowhere' } })
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('/nowhere/initdb')])
  const both = await runCli(['receive', '--trial', '--log', 'postgres://host/acuse'])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--log')])
})

test('a trial in a folder of another one, with a port in use, or where nothing can be a folder, says what to do', async () => {
  const folder = tempFolder()
  const first = startCli(['receive', '--trial', '--receiver-port', '0', '--json', '--data', folder])
  await until(() => existsSync(join(folder, 'postgres')))
  const start = (...args: string[]) => runCli(['receive', '--trial', ...args])
  const second = await start('--receiver-port', '0', '--data', folder)
  expect([second.code, second.stderr]).toEqual([
    3,
    expect.stringContaining(`is using the data folder ${folder}.`),
  ])
  const { balancer, log } = JSON.parse(await until(first.stdout))
  const { port } = new URL(balancer)
  const taken = await start('--receiver-port', port)
  expect([taken.code, taken.stderr]).toEqual([
    3,
    expect.stringMatching(/port \d+ .*in use.* Port \d+ is free: --receiver-port/),
  ])
  const alone = await runCli(['receive', '--log', log, '--data', tempFolder(), '--receiver-port', port])
  expect([alone.code, alone.stderr]).toEqual([3, expect.stringMatching(/is in use\. Port \d+ is free/)])
  const file = join(folder, 'acuse.lock')
  const blocked = await start('--data', file)
  expect([blocked.code, blocked.stderr]).toEqual([3, expect.stringContaining(`${file} cannot be written`)])
  expect(await first.interrupt()).toBe(0)
})
