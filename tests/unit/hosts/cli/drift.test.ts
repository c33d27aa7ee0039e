import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { runCliHere } from '../../../support/cli-here.ts'
import { type RunningHost, startHost } from '../../../support/host.ts'

const KIND = 'factura.created'
let host: RunningHost
let client: LocalClient
beforeAll(async () => {
  host = await startHost({ args: ['--no-ui', '--sandbox', '--sandbox-port', '0'] })
  const found = await connectLocal(host.dataDir)
  if (!found) throw new Error('the host does not answer')
  client = found
})
afterAll(async () => {
  await client?.close()
  await host?.stop()
})

const drift = (...args: readonly string[]) =>
  runCliHere(['drift', ...args], { env: { ACUSE_DATA: host.dataDir } })

async function sandbox(path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${host.sandbox?.sandbox}/_sandbox${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${host.sandbox?.admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([answer.status, path]).toEqual([expect.toSatisfy((status: number) => status < 300), path])
  return answer.json()
}

const arrived = async (filter: string, count: number): Promise<void> => {
  await expect
    .poll(async () => (await client.call('deliveries.summary', { filter })).total, { timeout: 20_000 })
    .toBe(count)
  await client.call('deliveries.settled', { timeoutMs: 10_000 })
}

/** An event of the sandbox, altered as if the service had changed. */
async function sendAltered(change: object): Promise<void> {
  const { body } = (await sandbox('/preview', { kind: KIND })) as { body: unknown }
  const event = typeof body === 'string' ? JSON.parse(body) : body
  const altered = { ...event, data: { ...event.data, ...change } }
  await sandbox('/send', { kind: KIND, body: JSON.stringify(altered) })
}

describe('drift in the product, from the sandbox to the command line', () => {
  test('thirty events teach; then a new field, another type and a first null are told, marked and found', async () => {
    await sandbox('/emit', { kind: KIND, count: 30 })
    await arrived(`kind:${KIND}`, 30)

    for (const [i, change] of [{ Channel: 'web' }, { StatusId: 'five' }, { Lines: null }].entries()) {
      await sendAltered(change)
      await arrived(`kind:${KIND}`, 31 + i)
    }

    const { stdout } = await drift('--events', '--json')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    // What the sandbox itself varies late, such as the form of a tax id, may be among them.
    const altered = events.filter(({ place }) => /Lines$|StatusId|Channel/.test(place))
    expect(altered.map(({ code, pointer, deliveryId }) => `${deliveryId} ${code} ${pointer}`)).toEqual([
      '33 now-null /data/Lines',
      '32 type-changed /data/StatusId',
      '31 new-field /data/Channel',
    ])
    const { rows } = await client.call('deliveries.page', { filter: 'is:drift', from: 'newest', limit: 3 })
    expect(rows.map(({ marks, verdict }) => [marks.includes('drift'), verdict])).toEqual([
      [true, 'noted'],
      [true, 'invalid'],
      [true, 'noted'],
    ])
    expect((await drift()).stdout).toMatch(
      /^factura\.created +33 deliveries, \d+ fields, \d+ not documented, \d+ things first seen/,
    )
    expect((await drift('--kind', KIND)).stdout).toMatch(/\/data\/Channel +text; 1 of 33; not documented\n/)
    const { stdout: document } = await drift('--markdown', '--kind', KIND)
    expect(document).toMatch(/^## Observed in factura\.created\n/)
    expect(document).toContain('| `/data/Channel` | no | text |')
  })

  test('forgets one kind or all, and then learns anew', async () => {
    const { code, stderr, stdout } = await drift('--reset', '--kind', KIND, '--json')
    expect([code, stdout]).toEqual([0, '{"kinds":1}\n'])
    expect(stderr).toContain(`Forgot what was observed of ${KIND}`)
    await arrived('is:drift', 0)
    await sandbox('/emit', { kind: KIND, count: 1 })
    await arrived(`kind:${KIND}`, 34)
    expect((await drift()).stdout).toContain('1 delivery,')
    expect((await drift('--kind', KIND)).stdout).toContain('still learning')
    expect((await drift('--reset', '--all')).code).toBe(0)
    expect((await drift()).stderr).toContain('Nothing was observed yet')
  })
})
