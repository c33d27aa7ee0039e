import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { validateBytes } from '#core/checks/validate.ts'
import { headerValues, hookReceiver, type Received } from '../support/hook-receiver.ts'
import { runningSandbox, subscribedSandbox } from '../support/running-sandbox.ts'

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

  for (const method of ['GET', 'PUT', 'POST'])
    test(`6: a ${method} subscription gets the custom headers and the JSON envelope as body`, async () => {
      const { client } = await runningSandbox()
      const hook = await hookReceiver()
      const headers = [
        { name: 'X-Webhook-Secret', value: 'shared' },
        { name: 'X-Second', value: '2' },
      ]
      await client.admin('POST', '/subscriptions', { url: hook.url, method, headers })
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
    const { client } = await runningSandbox()
    let open = false
    const hook = await hookReceiver((_, response) => {
      if (open) response.end()
      else response.destroy()
    })
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const lost = await client.admin('POST', '/emit', { kind: 'customer.created', count: 5 })
    expect(await client.ended(lost.body.run)).toHaveLength(5)
    open = true
    const { body } = await client.admin('POST', '/emit', { kind: 'customer.created' })
    await client.ended(body.run)
    const bodies = hook.received.map((one) => one.body.toString())
    expect(bodies).toHaveLength(6)
    expect(new Set(bodies).size).toBe(6)
  })
})
