import { describe, expect, test } from 'vitest'
import { DELIVERY_TIMEOUT_MS } from '#sandbox/sandbox.ts'
import { hookReceiver } from '../support/hook-receiver.ts'
import { runningSandbox } from '../support/running-sandbox.ts'
import { words } from '../support/words.ts'

describe('What the service does', () => {
  test('5, and Endpoints: no public API manages subscriptions, and no path of the connectivity test is public', async () => {
    const { client, sandbox } = await runningSandbox()
    const paths = words`subscriptions webhooks webhooks/subscriptions webhooks/test webhooks/log _sandbox/subscriptions`
    for (const headers of [
      { 'X-Api-Key': sandbox.apiKey },
      { Authorization: `Bearer ${sandbox.pluginToken}` },
    ])
      for (const path of paths)
        for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
          expect((await client.send(method, `/api/v1/${path}`, headers)).status, `${method} ${path}`).toBe(
            404,
          )
    for (const [method, path] of [
      ['GET', '/subscriptions'],
      ['POST', '/subscriptions'],
      ['POST', '/reset'],
    ] as const)
      for (const token of [sandbox.apiKey, sandbox.pluginToken])
        expect(
          (
            await client.send(method, `/_sandbox${path}`, {
              Authorization: `Bearer ${token}`,
              'X-Api-Key': token,
            })
          ).status,
        ).toBe(401)
  })

  test('8: what was lost is recovered by sweeping a date range: a document whose delivery was lost stands on both routes', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url, kinds: ['factura.created'] })
    await client.admin('PUT', '/laboratory', { lose: { share: 1 } })
    const { body } = await client.admin('POST', '/emit', { kind: 'factura.created' })
    const [entry] = await client.ended(body.run)
    expect(entry).toMatchObject({ lost: true })
    expect(hook.received).toEqual([])
    const id = JSON.parse(body.events[0].body).data.DocumentId
    const day = new Date().toISOString().slice(0, 4)
    const range = { from: `${day}-01-01`, to: `${day}-12-31` }
    for (const route of ['accounting-sync', 'treasury-sync'] as const) {
      const page = await client.sync(route, range)
      expect(
        page.body.items.map((item: { DocumentId: string }) => item.DocumentId),
        route,
      ).toContain(id)
    }
  })
})

describe('Sandbox choices', () => {
  test('a delivery has 10 s, once (delivery time-out)', () => expect(DELIVERY_TIMEOUT_MS).toBe(10_000))

  test('every refusal of the service has the same shape: error, with code and message (error body)', async () => {
    const { client, sandbox } = await runningSandbox()
    const key = { 'X-Api-Key': sandbox.apiKey }
    const sync = '/api/v1/documents/accounting-sync'
    const refusals = [
      await client.send('GET', sync, {}),
      await client.send('GET', `${sync}?from=2026-02-01&to=2026-01-01`, key),
      await client.send('GET', '/api/v1/nothing', key),
      await client.send('POST', '/api/v1/plugins/events', key, {}),
      await client.publish({ eventType: 'other' }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([401, 400, 404, 403, 400])
    for (const { body } of refusals)
      expect(body).toEqual({
        error: { code: expect.stringMatching(/^[a-z-]+$/), message: expect.stringMatching(/^\S.*\.$/) },
      })
  })
})
