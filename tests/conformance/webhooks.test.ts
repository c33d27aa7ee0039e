import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { validateBytes } from '#core/checks/validate.ts'
import { headerValues, hookReceiver, type Received } from '../support/hook-receiver.ts'
import { runningSandbox } from '../support/running-sandbox.ts'

const envelope = ({ body }: Received) => JSON.parse(body.toString())

describe('Outgoing webhooks: what the service does', () => {
  test('1: an event sends one request with a JSON body to each matching subscription', async () => {
    const { client } = await runningSandbox()
    const hooks = [await hookReceiver(), await hookReceiver()]
    for (const { url } of hooks) await client.admin('POST', '/subscriptions', { url })
    const { body } = await client.admin('POST', '/emit', { kind: 'factura.created' })
    await client.ended(body.run)
    for (const { received } of hooks) {
      expect(received).toHaveLength(1)
      expect(received.map(envelope)).toMatchObject([{ Event: 'factura.created' }])
    }
  })

  test('2 and 3: the delivery is recorded with the answer; what is not 2xx is not retried', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver((_, response) => response.writeHead(500).end('broken'))
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const { body } = await client.admin('POST', '/emit', { kind: 'gasto.created', count: 20 })
    const entries = await client.ended(body.run)
    expect(entries).toHaveLength(20)
    expect(hook.received).toHaveLength(20)
    expect(new Set(hook.received.map(({ body }) => body.toString())).size).toBe(20)
    for (const entry of entries)
      expect(entry).toMatchObject({ outcome: 'refused', status: 500, lost: true, answer: { body: 'broken' } })
  })

  test('4: on any plan but Corporativo nothing is dispatched and no answer warns', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
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
      expect(new Set(received.map((one) => envelope(one).Event))).toEqual(
        new Set(KINDS.map(({ kind }) => kind)),
      )
      for (const one of received) {
        expect(one.method).toBe(method)
        expect(headerValues(one, 'X-Webhook-Secret')).toEqual(['shared'])
        expect(headerValues(one, 'Content-Length')).toEqual([String(one.body.length)])
        expect(validateBytes(one.body).findings).toEqual([])
      }
    })

  test('6: a subscription may have any subset of the 28 kinds', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    const chosen = ['dgii.aprobado', 'product.deactivated']
    await client.admin('POST', '/subscriptions', { url: hook.url, kinds: chosen })
    for (const { kind } of KINDS) await client.ended((await client.admin('POST', '/emit', { kind })).body.run)
    expect(hook.received.map((one) => envelope(one).Event).toSorted()).toEqual(chosen)
  })

  test('Authentication: the payload carries no signature, only the custom headers', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
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

  test('edit-amount and edit-text on an invoice fire nota_credito.created and not factura.updated', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const { body } = await client.admin('POST', '/scenarios/credit-note')
    await client.ended(body.run)
    const events = hook.received.map((one) => envelope(one).Event)
    expect(events).toContain('nota_credito.created')
    expect(events).not.toContain('factura.updated')
  })

  test('every event of a month of business has exactly its documented fields and reads as valid', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const { body } = await client.admin('POST', '/scenarios/month', { count: 60 })
    await client.ended(body.run)
    expect(hook.received).toHaveLength(body.events)
    for (const one of hook.received)
      expect(validateBytes(one.body)).toEqual({ verdict: 'valid', findings: [] })
  })

  test('events of one document come in the order in which they occurred', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver(
      (_, response) => void setTimeout(() => response.end(), Math.random() * 10),
    )
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const { body } = await client.admin('POST', '/scenarios/month', { count: 60 })
    const entries = await client.ended(body.run)
    const order = new Map<string, number>(
      entries.map(({ request, seq }: { request: { body: string }; seq: number }) => [request.body, seq]),
    )
    const last = new Map<string, number>()
    for (const one of hook.received) {
      const subject = JSON.stringify(Object.values(envelope(one).data)[0])
      const seq = order.get(one.body.toString()) ?? 0
      // Two events of one document within a millisecond may be the same to the byte.
      expect(seq).toBeGreaterThanOrEqual(last.get(subject) ?? 1)
      last.set(subject, seq)
    }
  })
})
