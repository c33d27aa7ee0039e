import { describe, expect, test } from 'vitest'
import { hookReceiver } from '../support/hook-receiver.ts'
import { runningSandbox, subscribedSandbox } from '../support/running-sandbox.ts'

const TYPES = ['cobro.registrado', 'pago_proveedor.registrado', 'inventario.movimiento']
const error = { error: { code: expect.any(String), message: expect.stringMatching(/\.$/) } }

describe('POST /api/v1/plugins/events: the credential', () => {
  test("only the plugin's own token is accepted", async () => {
    const { client, sandbox } = await runningSandbox()
    const body = { eventType: TYPES[0] }
    expect((await client.publish(body)).status).toBe(202)
    expect((await client.publish(body, { authorization: `bearer ${sandbox.pluginToken}` })).status).toBe(202)
    const wrong: Record<string, string>[] = [
      {},
      { Authorization: sandbox.pluginToken },
      { Authorization: 'Bearer ' },
      { Authorization: 'Bearer unknown' },
      { Authorization: `Basic ${sandbox.pluginToken}` },
      { Authorization: `Bearer ${sandbox.apiKey}` },
      { Authorization: `Bearer ${sandbox.adminToken}` },
    ]
    for (const headers of wrong)
      expect(await client.publish(body, headers)).toMatchObject({ status: 401, body: error })
  })

  test('a request with X-Api-Key gets 403, even beside a token, whatever its body (Errors; sandbox choice: first)', async () => {
    const { client, sandbox } = await runningSandbox()
    const own = { Authorization: `Bearer ${sandbox.pluginToken}` }
    const keys = [{ 'X-Api-Key': sandbox.apiKey }, { 'x-api-key': 'unknown' }, { ...own, 'X-Api-Key': '' }]
    for (const headers of keys)
      for (const body of [{ eventType: TYPES[0] }, { eventType: 'other' }, 'no JSON'])
        expect(await client.publish(body, headers)).toMatchObject({ status: 403, body: error })
  })

  test('a removed plugin has no token any more', async () => {
    const { client } = await runningSandbox()
    const { body: plugin } = await client.admin('POST', '/plugins', { name: 'Cobros' })
    const headers = { Authorization: `Bearer ${plugin.token}` }
    expect((await client.publish({ eventType: TYPES[0] }, headers)).status).toBe(202)
    await client.admin('DELETE', `/plugins/${plugin.id}`)
    expect((await client.publish({ eventType: TYPES[0] }, headers)).status).toBe(401)
  })
})

test('POST /api/v1/plugins/events: eventType is one of three values, data an optional object; anything else gets 400', async () => {
  const { client } = await runningSandbox()
  for (const eventType of TYPES)
    for (const body of [{ eventType, data: {} }, { eventType }])
      expect(await client.publish(body)).toMatchObject({ status: 202, body: { forwardedTo: 0 } })
  const [right] = TYPES
  const types = ['factura.created', 'Cobro.registrado', ' cobro.registrado', '', null, 1, [right], undefined]
  for (const body of [
    ...types.map((eventType) => ({ eventType, data: {} })),
    ...[null, [], 'text', 7, true].map((data) => ({ eventType: right, data })),
    ...['', '[]', 'null', '"cobro.registrado"', '{', '{"eventType":"cobro.registrado",}', '\ufeff{}'],
  ])
    expect(await client.publish(body)).toMatchObject({ status: 400, body: error })
})

describe('the host forwards it to the other subscribed plugins', () => {
  test('data unchanged, to the byte', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/plugins', { name: 'Inventario', url: hook.url })
    const data =
      '{ "monto" : 1500.10,"n":12345678901234567890123, "é":"\\u00e9\\/",\t"a":[1e5, -0 ,{}],"a":2 }'
    const body = `{"data" : ${data} , "eventType":"cobro.registrado","extra":1}`
    expect((await client.publish(body)).body).toEqual({ forwardedTo: 1 })
    const [received] = await hook.count(1)
    expect(received?.method).toBe('POST')
    expect(received?.body.toString()).toBe(`{"eventType":"cobro.registrado","data":${data}}`)
  })

  test('never back to its sender, and only to those that chose the type and are active', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    const install = async (name: string, more: object = {}) => {
      const plugin = { name, url: `${hook.url}/${name}`, ...more }
      const { status, body } = await client.admin('POST', '/plugins', plugin)
      expect(status).toBe(201)
      return { Authorization: `Bearer ${body.token}` }
    }
    const sender = await install('sender')
    await install('all')
    await install('stock', { eventTypes: ['inventario.movimiento'] })
    await install('off', { active: false })
    await client.admin('POST', '/plugins', { name: 'publishes only' })
    expect((await client.publish({ eventType: 'cobro.registrado' }, sender)).body).toEqual({ forwardedTo: 1 })
    const { body } = await client.publish({ eventType: 'inventario.movimiento' }, sender)
    expect(body).toEqual({ forwardedTo: 2 })
    await hook.count(3)
    expect(hook.received.map(({ url }) => url).toSorted()).toEqual(['/hook/all', '/hook/all', '/hook/stock'])
  })

  test('Delivery rules 4: plugin events are no webhook deliveries, whatever the plan', async () => {
    const { client, hook } = await subscribedSandbox()
    const plugin = await hookReceiver()
    await client.admin('POST', '/plugins', { url: plugin.url })
    await client.admin('PUT', '/workspace', { plan: 'Básico' })
    expect((await client.publish({ eventType: TYPES[0] })).body).toEqual({ forwardedTo: 1 })
    await plugin.count(1)
    const { body } = await client.admin('GET', '/log')
    expect(body.entries).toMatchObject([{ type: 'plugin', kind: TYPES[0], outcome: 'delivered' }])
    expect(hook.received).toEqual([])
    const subscription = await client.admin('POST', '/subscriptions', { url: hook.url, kinds: [TYPES[0]] })
    expect(subscription.status).toBe(400)
  })
})
