import { describe, expect, test, vi } from 'vitest'
import type { FaultRule } from '#contract/faults.ts'
import { assembled } from '../../support/assembled.ts'

const RULE: FaultRule = {
  effect: { type: 'status', status: 503 },
  ...{ endpoint: null, probability: 1, seed: 1, filter: '', next: null, until: null },
}

describe('fault rules in a whole host', () => {
  test('the delivery is stored with the answer that went out and who decided it; the status shows the rule until it ends', async () => {
    const { host, receiverUrl, close } = await assembled()
    try {
      const { call } = host.engine
      const post = () => fetch(receiverUrl, { method: 'POST', body: '{}' })
      await call('faults.add', { ...RULE, next: 1 })
      await call('faults.add', { ...RULE, effect: { type: 'reset' }, next: 1 })
      expect((await call('status.get', {})).faults).toMatchObject([{ matched: 0 }, { matched: 0 }])
      expect((await post()).status).toBe(503)
      await expect(post()).rejects.toThrow()
      expect((await post()).status).toBe(200)
      expect((await call('status.get', {})).faults).toEqual([])
      const details = () => Promise.all([1, 2, 3].map((id) => call('deliveries.get', { id })))
      const kept = async () => (await details()).map(({ answer, answeredBy }) => [answer, answeredBy])
      await vi.waitFor(
        async () =>
          expect(await kept()).toEqual([
            [503, { by: 'fault', effect: 'status' }],
            [null, { by: 'fault', effect: 'reset' }],
            [200, null],
          ]),
        { timeout: 15_000 },
      )
    } finally {
      await close()
    }
  })
})
