import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { validateBytes } from '#core/checks/validate.ts'
import { DELIVERY_TIMEOUT_MS } from '#sandbox/sandbox.ts'
import { headerValues, type Received } from '../support/hook-receiver.ts'
import { runningSandbox, subscribedSandbox } from '../support/running-sandbox.ts'
import { words } from '../support/words.ts'

const envelope = ({ body }: Received) => JSON.parse(body.toString())

describe('Outgoing webhooks: what the service does', () => {
  test('4: on any plan but Corporativo nothing is dispatched and no answer warns', async () => {
    const { client, hook } = await subscribedSandbox()
    for (const plan of ['Emprendedor', 'corporativo', 'Corporativo ']) {
      await client.admin('PUT', '/workspace', { plan })
      const answer = await client.admin('POST', '/operations/create-invoice')
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toMatch(/plan|warn/i)
    }
    await client.admin('PUT', '/workspace', { plan: 'Corporativo' })
    await client.admin('POST', '/emit', { kind: 'customer.created' })
    expect((await hook.count(1)).map(envelope)).toMatchObject([{ Event: 'customer.created' }])
  })

  test('5, and Endpoints: no public API manages subscriptions, and no path of the connectivity test is public', async () => {
    const { client, sandbox } = await runningSandbox()
    const paths = words`subscriptions webhooks webhooks/subscriptions webhooks/test webhooks/log _sandbox/subscriptions`
    const own = [{ 'X-Api-Key': sandbox.apiKey }, { Authorization: `Bearer ${sandbox.pluginToken}` }]
    for (const headers of own)
      for (const path of paths)
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const { status } = await client.send(method, `/api/v1/${path}`, headers)
          expect([method, path, status]).toEqual([method, path, 404])
        }
  })

  for (const method of ['GET', 'PUT', 'POST'])
    test(`6: a ${method} subscription gets the custom headers and the JSON envelope as body`, async () => {
      const headers = [
        { name: 'X-Webhook-Secret', value: 'shared' },
        { name: 'X-Second', value: '2' },
      ]
      const { client, hook } = await subscribedSandbox({ method, headers })
      for (const { kind } of KINDS) expect((await client.admin('POST', '/emit', { kind })).status).toBe(200)
      const received = await hook.count(KINDS.length)
      const kinds = new Set(KINDS.map(({ kind }) => kind))
      expect(new Set(received.map((one) => envelope(one).Event))).toEqual(kinds)
      for (const one of received) {
        expect(one.method).toBe(method)
        expect(headerValues(one, 'X-Webhook-Secret')).toEqual(['shared'])
        expect(headerValues(one, 'Content-Length')).toEqual([String(one.body.length)])
        expect(validateBytes(one.body).findings).toEqual([])
      }
    })

  test('Authentication: the payload carries no signature, only the custom headers', async () => {
    const { client, hook } = await subscribedSandbox()
    await client.admin('POST', '/emit', { kind: 'customer.created' })
    const [received] = await hook.count(1)
    const names = received?.headers.filter((_, i) => i % 2 === 0)
    expect(names).toEqual(['Host', 'Content-Type', 'User-Agent', 'Content-Length', 'Connection'])
  })
})

describe('Delivery rules', () => {
  test('1: at most once: nothing is redelivered when the receiver comes back', async () => {
    let open = false
    const { client, hook } = await subscribedSandbox({}, (_, response) => {
      if (open) response.end()
      else response.destroy()
    })
    const lost = await client.admin('POST', '/emit', { kind: 'customer.created', count: 5 })
    expect(await client.ended(lost.body.run)).toHaveLength(5)
    open = true
    const { body } = await client.admin('POST', '/emit', { kind: 'customer.created' })
    await client.ended(body.run)
    const bodies = hook.received.map((one) => one.body.toString())
    expect(bodies).toHaveLength(6)
    expect(new Set(bodies).size).toBe(6)
  })

  test('sandbox choice: a delivery has 10 s, once', () => expect(DELIVERY_TIMEOUT_MS).toBe(10_000))
})
