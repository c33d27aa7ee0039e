import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectLocal } from '#hosts/local/client.ts'
import { hookReceiver } from '../support/hook-receiver.ts'
import { runningSandbox } from '../support/running-sandbox.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { words } from '../support/words.ts'
import { API_KEY, business, house } from './reconcile-house.ts'

const TOKEN = 'canary-token-8e2a'

async function withSandbox() {
  const { sandbox, client } = await runningSandbox({ credentials: { apiKey: API_KEY, pluginToken: TOKEN } })
  const home = await house()
  const acuse = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const outcome = await home.acuse(args, env)
    for (const secret of [API_KEY, TOKEN]) expect(outcome.stdout + outcome.stderr).not.toContain(secret)
    return outcome
  }
  return { sandbox, client, ...home, acuse }
}

describe('acuse publish', () => {
  const TYPE = 'cobro.registrado'

  test('sends the data with its very characters, to the sandbox and on to the other plugins', async () => {
    const { acuse, sandbox, client } = await withSandbox()
    const plugin = await hookReceiver()
    await client.admin('POST', '/plugins', { name: 'other', url: plugin.url, eventTypes: [TYPE] })
    const file = join(tempFolder(), 'cobro.json')
    writeFileSync(file, '{ "amount": 1.10, "n": 12345678901234567890 }')
    const args = ['publish', TYPE, '--data', file, '--base-url', sandbox.url]
    const { code, stdout } = await acuse([...args, '--json'], { ACUSE_PLUGIN_TOKEN: TOKEN })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, status: 202 }])
    const [received] = await plugin.count(1)
    expect(received?.body.toString()).toContain('1.10')
    expect(received?.body.toString()).toContain('12345678901234567890')
    expect(JSON.parse((await acuse(['connections', 'list', '--json'])).stdout)).toEqual({ connections: [] })
    const bare = await acuse(['publish', TYPE, '--base-url', sandbox.url], { ACUSE_PLUGIN_TOKEN: TOKEN })
    expect([bare.code, bare.stdout]).toEqual([0, expect.stringContaining('202')])
  })

  test('an unknown token, and an API key in its place, are explained: exit code 3', async () => {
    const { acuse, sandbox } = await withSandbox()
    const env = { ACUSE_PLUGIN_TOKEN: 'nobody' }
    const unknown = await acuse(['publish', TYPE, '--base-url', sandbox.url], env)
    expect([unknown.code, unknown.stdout]).toEqual([3, expect.stringContaining('401')])
    await acuse(
      words`connections set erp --base-url ${sandbox.url} --plugin-token-env KEY --plugin-header
        X-Api-Key --plugin-scheme ${''}`,
      { KEY: API_KEY },
    )
    const refused = await acuse(['publish', TYPE, '--connection', 'erp'])
    expect([refused.code, refused.stdout]).toEqual([3, expect.stringContaining('403')])
  })
})

test('acuse reconcile for people, by address alone: counts, each miss with kind and rule, limits; a report of each form; what is ignored fails nothing', async () => {
  const { acuse, client, dataDir, sandbox, play } = await business()
  await client.admin('PUT', '/laboratory', { lose: { share: 1, kinds: ['gasto.created'] }, seed: 2 })
  const log = await play('month', 30)
  const lost = log.filter(({ lost }) => lost).length
  expect(lost).toBeGreaterThan(0)
  const folder = tempFolder()
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const range = ['--from', day(-40), '--to', day(-1)]
  for (const form of ['html', 'csv', 'json', 'md']) {
    const file = join(folder, `report.${form}`)
    const args = ['reconcile', '--connection', 'erp', ...range, '--report', file]
    const { code, stdout } = await acuse(args)
    expect(code).toBe(1)
    for (const part of ['missing', 'gasto.created: listed by the service', 'What cannot be known'])
      expect(stdout).toContain(part)
    expect(readFileSync(file, 'utf8').replaceAll('\\', '')).toContain('gasto.created')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
  }
  const local = await connectLocal(dataDir)
  const [sweep] = (await local?.call('sweeps.list', { connection: 'erp' }))?.sweeps ?? []
  const missing = await local?.call('reconciliation.rows', {
    ...{ sweep: sweep?.id ?? 0, classes: ['missing'], from: 0, limit: 100 },
  })
  const keys = missing?.rows.map(({ key }) => key) ?? []
  await local?.call('reconciliation.annotate', { connection: 'erp', keys, ignored: 'lost on purpose' })
  await local?.close()
  const ignored = await acuse(['reconcile', '--connection', 'erp', ...range])
  expect([ignored.code, ignored.stdout]).toEqual([0, expect.stringContaining('because: lost on purpose')])
  const base = ['reconcile', '--base-url', sandbox.url, ...range]
  const other = await acuse([...base, '--fail-on', 'differs,webhook-only', '--json'])
  expect([other.code, other.printed[0]?.counts.differs]).toEqual([0, 0])
  const { counts } = other.printed[0] ?? {}
  expect((counts?.missing ?? 0) + (counts?.notYetDue ?? 0)).toBe(lost)
  // The command stores the key of the environment, or the connection of an address, only for its run.
  await acuse(['connections', 'set', 'erp', '--forget-api-key'])
  expect((await acuse(['reconcile', '--connection', 'erp', ...range])).code).toBe(0)
  const { connections } = JSON.parse((await acuse(['connections', 'list', '--json'])).stdout)
  expect(connections).toMatchObject([{ name: 'erp', apiKey: 'none' }])
  const places = await acuse([...base, '--report', join(folder, 'nowhere', 'r.md')])
  expect([places.code, places.stderr]).toEqual([3, expect.stringContaining('cannot be written')])
}, 120_000)
