import { describe, expect, test } from 'vitest'
import { DELIVERY_TIMEOUT_MS } from '#sandbox/sandbox.ts'
import { runningSandbox } from '../support/running-sandbox.ts'
import { words } from '../support/words.ts'

describe('What the service does', () => {
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
    for (const [method, path] of [
      ['GET', '/subscriptions'],
      ['POST', '/subscriptions'],
      ['POST', '/reset'],
    ] as const)
      for (const token of [sandbox.apiKey, sandbox.pluginToken]) {
        const headers = { Authorization: `Bearer ${token}`, 'X-Api-Key': token }
        expect((await client.send(method, `/_sandbox${path}`, headers)).status).toBe(401)
      }
  })
})

describe('Sandbox choices', () => {
  test('a delivery has 10 s, once (delivery time-out)', () => expect(DELIVERY_TIMEOUT_MS).toBe(10_000))
})
