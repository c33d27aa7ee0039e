import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli-here.ts'
import { jsonLines as lines } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { type ReadySandbox, runCli } from '../../../support/host.ts'
import { clientOf } from '../../../support/sandbox-client.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

async function startSandbox(dataDir: string) {
  const { child, ended, says } = startCli(['sandbox', '--port', '0', '--data', dataDir, '--json'])
  const [line] = await says(/.*\n/)
  const ready: ReadySandbox = JSON.parse(line)
  return {
    ready,
    client: clientOf(ready),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

test('acuse sandbox: prints its ready line, serves, stops with 0, and keeps its tokens', async () => {
  const data = join(tempFolder(), 'data')
  const first = await startSandbox(data)
  expect(Object.keys(first.ready)).toEqual(['sandbox', 'admin', 'apiKey', 'pluginToken'])
  expect((await first.client.sync('treasury-sync')).status).toBe(200)
  expect((await first.client.publish({ eventType: 'cobro.registrado' })).status).toBe(202)
  for (const file of ['sandbox.json', 'sandbox.db', 'sandbox.service.db'])
    expect([file, statSync(join(data, file)).mode & 0o077]).toEqual([file, 0])
  expect(await first.stop()).toBe(0)
  expect(JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')).url).toBeNull()
  const again = await startSandbox(data)
  expect({ ...again.ready, sandbox: '' }).toEqual({ ...first.ready, sandbox: '' })
})

test('acuse sandbox: is refused on a folder where one runs, and on a taken port', async () => {
  const data = join(tempFolder(), 'data')
  const { ready } = await startSandbox(data)
  const second = await runCli(['sandbox', '--port', '0', '--data', data])
  expect(second).toMatchObject({ code: 3, stdout: '' })
  expect(second.stderr).toContain(`already, at ${ready.sandbox}`)
  const port = new URL(ready.sandbox).port
  const other = await runCli(['sandbox', '--port', port, '--data', join(tempFolder(), 'other')])
  expect(other).toMatchObject({ code: 3, stdout: '' })
  expect(other.stderr).toContain(`Port ${port}`)
})

test('acuse trigger: fires through the running sandbox and prints one line per delivery attempt', async () => {
  const data = join(tempFolder(), 'data')
  const { client } = await startSandbox(data)
  const trigger = (...args: readonly string[]) => runCliHere(['trigger', ...args, '--data', data])
  const unheard = await trigger('factura.created')
  expect(unheard).toMatchObject({ code: 0, stdout: '' })
  expect(unheard.stderr).toContain('0 delivered')
  const hooks = [await hookReceiver(), await hookReceiver()]
  for (const { url } of hooks) await client.admin('POST', '/subscriptions', { url })
  const { code, stdout } = await trigger(
    ...words`dgii.rechazado --set /data/StatusId=8 --set /data/Total=9.50 --count 3 --json`,
  )
  expect(code).toBe(0)
  expect(lines(stdout)).toHaveLength(6)
  for (const line of lines(stdout))
    expect(line).toMatchObject({ kind: 'dgii.rechazado', outcome: 'delivered', status: 200, lost: false })
  for (const { received } of hooks)
    for (const { body } of received) expect(`${body}`).toMatch(/"StatusId":8,"Total":9\.50}}$/)
  const scenario = await trigger('--scenario', 'outage-day', '--count', '10', '--json')
  expect(scenario.code).toBe(0)
  expect(lines(scenario.stdout).filter(({ lost }) => lost).length).toBeGreaterThan(0)
  expect((await trigger('customer.created')).stdout).toMatch(/^customer\.created +delivered +200 +[\d.]+ ms/)
})

test('acuse trigger: ends with 3 when a delivery failed that was not meant to be lost', async () => {
  const data = join(tempFolder(), 'data')
  const { client } = await startSandbox(data)
  const hook = await hookReceiver((_, response) => response.writeHead(500).end())
  await client.admin('POST', '/subscriptions', { url: hook.url })
  const refused = await runCliHere(['trigger', 'customer.created', '--data', data, '--json'])
  expect([refused.code, lines(refused.stdout)[0].status]).toEqual([3, 500])
  await client.admin('PUT', '/laboratory', { lose: { share: 1 } })
  expect((await runCliHere(['trigger', 'customer.created', '--data', data])).code).toBe(0)
})

test('acuse trigger: sends straight to an address without a sandbox, once, same seed same data', async () => {
  const hook = await hookReceiver()
  const args = words`trigger factura.created --url ${hook.url} --seed 9 --header ${'X-Secret: s'} --json`
  const [first, second] = [await runCli(args), await runCli(args)]
  expect([first.code, lines(first.stdout).length, second.code]).toEqual([0, 1, 0])
  expect(hook.received.map(({ method }) => method)).toEqual(['POST', 'POST'])
  const [a, b] = hook.received.map(({ body }) => JSON.parse(body.toString()).data)
  expect(a.CustomerName).toBe(b.CustomerName)
  expect(hook.received[0]?.headers).toContain('X-Secret')
  const gone = await runCliHere(['trigger', 'factura.created', '--url', 'http://127.0.0.1:1/', '--json'])
  expect([gone.code, lines(gone.stdout)[0].outcome]).toEqual([3, 'failed'])
})
