import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { cliHost, jsonLines } from '../../../support/cli-host.ts'
import { clientOf } from '../../../support/sandbox-client.ts'

const KIND = 'factura.created'
const { host, acuse } = cliHost({ args: ['--no-ui', '--sandbox', '--sandbox-port', '0'] })
let client: LocalClient
beforeAll(async () => {
  client = (await connectLocal(host().dataDir)) ?? expect.fail('the host does not answer')
})
afterAll(() => client?.close())

const drift = (...args: readonly string[]) => acuse(['drift', ...args])

async function sandbox(path: string, given: object) {
  const { status, body } = await clientOf(host().sandbox ?? expect.fail()).admin('POST', path, given)
  expect([status, path]).toEqual([expect.toSatisfy((status: number) => status < 300), path])
  return body
}

const arrived = async (filter: string, count: number): Promise<void> => {
  await expect
    .poll(async () => (await client.call('deliveries.summary', { filter })).total, { timeout: 20_000 })
    .toBe(count)
  await client.call('deliveries.settled', { timeoutMs: 10_000 })
}

async function sendAltered(change: object): Promise<void> {
  const { body } = await sandbox('/preview', { kind: KIND })
  const event = typeof body === 'string' ? JSON.parse(body) : body
  const altered = { ...event, data: { ...event.data, ...change } }
  await sandbox('/send', { kind: KIND, body: JSON.stringify(altered) })
}

test('drift in the product, from the sandbox to the command line: thirty events teach; then a new field, another type and a first null are told, marked and found', async () => {
  await sandbox('/emit', { kind: KIND, count: 30 })
  await arrived(`kind:${KIND}`, 30)

  for (const [i, change] of [{ Channel: 'web' }, { StatusId: 'five' }, { Lines: null }].entries()) {
    await sendAltered(change)
    await arrived(`kind:${KIND}`, 31 + i)
  }

  const { stdout } = await drift('--events', '--json')
  // The sandbox's own late variations, such as forms of a tax id, may be listed too.
  const altered = jsonLines(stdout).filter(({ place }) => /Lines$|StatusId|Channel/.test(place))
  expect(altered.map(({ code, pointer, deliveryId }) => `${deliveryId} ${code} ${pointer}`)).toEqual([
    '33 now-null /data/Lines',
    '32 type-changed /data/StatusId',
    '31 new-field /data/Channel',
  ])
  const { rows } = await client.call('deliveries.page', { filter: 'is:drift', from: 'newest', limit: 3 })
  for (const { marks } of rows) expect(marks).toContain('drift')
  expect(rows.map(({ verdict }) => verdict)).toEqual(['noted', 'invalid', 'noted'])
  expect((await drift()).stdout).toMatch(
    /^factura\.created +33 deliveries, \d+ fields, \d+ not documented, \d+ things first seen/,
  )
  expect((await drift('--kind', KIND)).stdout).toMatch(/\/data\/Channel +text; 1 of 33; not documented\n/)
  const { stdout: document } = await drift('--markdown', '--kind', KIND)
  expect(document).toMatch(/^## Observed in factura\.created\n/)
  expect(document).toContain('| `/data/Channel` | no | text |')

  const observed = JSON.parse((await acuse(['schema', '--observed', '--kind', KIND])).stdout)
  const { properties } = observed.properties.data
  expect(observed.title).toBe(`Observed: ${KIND}`)
  expect(properties.Channel.description).toBe('Observed in 1 of 33: text. Not documented.')
  expect(properties.StatusId.type.toSorted()).toEqual(['integer', 'string'])
  const any = JSON.parse((await acuse(['schema', '--observed'])).stdout)
  expect(any.anyOf).toContainEqual({ $ref: observed.$id })
})
