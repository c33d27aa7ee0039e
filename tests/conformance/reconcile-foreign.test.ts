import { describe, expect, test } from 'vitest'
import { foreignLedger } from '../support/foreign-ledger.ts'
import { foreignHouse, saidOf, unmatched } from './foreign-house.ts'

const LOSES = (_: unknown, nth: number) => nth % 11 === 3

describe('a service that shares nothing with the sandbox', () => {
  test('what was lost is found, and nothing else', async () => {
    const documents = foreignLedger({ seed: 5, count: 300 })
    const { reconcile, truth, service } = await foreignHouse(documents, {}, LOSES)
    const { result, stderr } = await reconcile()
    expect([stderr, result.complete, result.items]).toEqual(['', true, 300])
    expect(saidOf(result)).toEqual(unmatched(truth))
    expect(service.asked.map(({ listed }) => listed)).toEqual([200, 101])
  })
})
