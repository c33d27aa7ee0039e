import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectLocal } from '#hosts/local/client.ts'
import { type RunningHost, runCli, spawnCli, startHost } from '../../../support/host.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'

const KEY = 'canary-2f9b17'
const DOCUMENTS = 60
const RANGE = ['--from', '2020-01-01', '--to', '2099-12-31', '--page-size', '4', '--json']

/** A sandbox with documents of which no event was delivered, and which takes its time for a page; and a host. */
async function slowService() {
  const { sandbox, client } = await runningSandbox({ credentials: { apiKey: KEY } })
  await client.admin('POST', '/scenarios/month', { count: DOCUMENTS })
  await client.admin('PUT', '/laboratory', { sync: { fault: 'slow', share: 1, slowMs: 150 } })
  const folder = mkdtempSync(join(tmpdir(), 'acuse-reconcile-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const start = async (): Promise<RunningHost> => {
    const host = await startHost({ dataDir: join(folder, 'data'), args: ['--no-ui'] })
    onTestFinished(() => host.kill())
    return host
  }
  return { sandbox, client, start, data: ['--data', join(folder, 'data')] }
}

/** Begins a command and lets it run until its host has seen so many pages. */
async function begun(args: readonly string[], pages: () => Promise<boolean>) {
  const child = spawnCli(args, { ACUSE_API_KEY: KEY })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (part) => {
    stdout += part
  })
  child.stderr?.on('data', (part) => {
    stderr += part
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  while (!(await pages())) await new Promise((resolve) => setTimeout(resolve, 50))
  return { child, ended, stdout: () => stdout, stderr: () => stderr }
}

/** Whether the host of a data folder has a sweep with more than two pages. */
async function swept([, folder = '']: readonly string[]): Promise<boolean> {
  const client = await connectLocal(folder)
  if (!client) return false
  try {
    const { sweeps } = await client.call('sweeps.list', {})
    return (sweeps[0]?.pages ?? 0) > 2
  } finally {
    await client.close()
  }
}

describe('acuse reconcile beside a host', () => {
  test('Ctrl+C pauses the sweep and says how to go on; the same command goes on, and the result is whole', async () => {
    const { sandbox, client, start, data } = await slowService()
    await start()
    const args = ['reconcile', '--base-url', sandbox.url, ...RANGE, ...data]
    const { child, ended, stdout, stderr } = await begun(args, () => swept(data))
    child.kill('SIGINT')
    expect([await ended, stdout()]).toEqual([3, ''])
    expect(stderr()).toMatch(/Sweep \d+ was paused at .+The same command goes on from there/)
    await client.admin('DELETE', '/laboratory')
    const { code, stdout: printed, stderr: said } = await runCli(args, { env: { ACUSE_API_KEY: KEY } })
    expect(said).toContain('Goes on with sweep')
    expect([code, JSON.parse(printed)]).toMatchObject([1, { complete: true, items: DOCUMENTS }])
    const { stdout: left } = await runCli(['connections', 'list', '--json', ...data])
    expect(JSON.parse(left)).toEqual({ connections: [] })
    expect(said + stderr() + printed).not.toContain(KEY)
  })

  test('a host that is killed in the middle of a sweep goes on from its last page', async () => {
    const { sandbox, client, start, data } = await slowService()
    const host = await start()
    await runCli(['connections', 'set', 'erp', '--base-url', sandbox.url, '--api-key-env', 'K', ...data], {
      env: { K: KEY },
    })
    const args = ['reconcile', '--connection', 'erp', ...RANGE, ...data]
    const { ended } = await begun(args, () => swept(data))
    await host.kill()
    expect(await ended).toBe(3)
    await client.admin('DELETE', '/laboratory')
    await start()
    const { code, stdout, stderr } = await runCli(args)
    expect(stderr).toContain('Goes on with sweep')
    const result = JSON.parse(stdout)
    expect([code, result]).toMatchObject([1, { complete: true, items: DOCUMENTS }])
    const ids = new Set(result.rows.map(({ documentId }: { documentId: string }) => documentId))
    expect(ids.size).toBe(DOCUMENTS)
  })
})
