import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectLocal } from '#hosts/local/client.ts'
import { startCli } from '../../../support/cli-process.ts'
import { type RunningHost, runCli, startHost } from '../../../support/host.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const KEY = 'canary-2f9b17'
const DOCUMENTS = 60
const RANGE = ['--from', '2020-01-01', '--to', '2099-12-31', '--page-size', '4', '--json']

async function slowService() {
  const { sandbox, client } = await runningSandbox({ credentials: { apiKey: KEY } })
  await client.admin('POST', '/scenarios/month', { count: DOCUMENTS })
  await client.admin('PUT', '/laboratory', { sync: { fault: 'slow', share: 1, slowMs: 150 } })
  const folder = tempFolder()
  const start = async (): Promise<RunningHost> => {
    const host = await startHost({ dataDir: join(folder, 'data'), args: ['--no-ui'] })
    onTestFinished(() => host.kill())
    return host
  }
  return { sandbox, client, start, data: ['--data', join(folder, 'data')] }
}

async function begun(args: readonly string[], [, folder = '']: readonly string[]) {
  const command = startCli(args, { ACUSE_API_KEY: KEY })
  const client = (await connectLocal(folder)) ?? expect.fail('no host listens')
  const pages = async () => (await client.call('sweeps.list', {})).sweeps[0]?.pages ?? 0
  await expect.poll(pages, { timeout: 30_000 }).toBeGreaterThan(2)
  await client.close()
  return command
}

test('acuse reconcile beside a host: Ctrl+C pauses the sweep and says how to go on; the same command goes on, and the result is whole', async () => {
  const { sandbox, client, start, data } = await slowService()
  await start()
  const args = ['reconcile', '--base-url', sandbox.url, ...RANGE, ...data]
  const { interrupt, stdout, stderr } = await begun(args, data)
  expect([await interrupt(), stdout()]).toEqual([3, ''])
  expect(stderr()).toMatch(/Sweep \d+ was paused at .+The same command goes on from there/)
  await client.admin('DELETE', '/laboratory')
  const { code, stdout: printed, stderr: said } = await runCli(args, { env: { ACUSE_API_KEY: KEY } })
  expect(said).toContain('Goes on with sweep')
  expect([code, JSON.parse(printed)]).toMatchObject([1, { complete: true, items: DOCUMENTS }])
  const { stdout: left } = await runCli(['connections', 'list', '--json', ...data])
  expect(JSON.parse(left)).toEqual({ connections: [] })
  expect(said + stderr() + printed).not.toContain(KEY)
})
