import { describe, expect, test } from 'vitest'
import { business } from './reconcile-house.ts'

const ONE_DATE = 700

describe('a sweep that does not fit its pages', () => {
  test(`${ONE_DATE} documents on one date are all seen, type by type; whole where the connection states all types`, async () => {
    const { client, reconcile, acuse } = await business()
    const issuedAt = new Date(Date.now() - 3 * 86_400_000).toISOString()
    const made: string[] = []
    for (let n = 0; n < ONE_DATE; n += 1) {
      // Of two types, as no page holds more than 500 of one.
      const type = n % 2 === 0 ? 'E31' : 'E32'
      const { status, body } = await client.admin('POST', '/operations/create-invoice', { issuedAt, type })
      if (status !== 200) throw new Error(JSON.stringify(body))
      made.push(body.id)
    }
    const unproved = await reconcile()
    expect([unproved.code, unproved.result.complete, unproved.result.items]).toEqual([3, false, ONE_DATE])
    const types = ['--document-types', '31=factura,32=factura', '--types-complete', 'yes']
    await acuse(['connections', 'set', 'erp', ...types])
    const { code, result, stderr } = await reconcile()
    expect([code, stderr, result.complete, result.items]).toEqual([0, '', true, ONE_DATE])
    expect([result.counts.matched, result.rows]).toEqual([ONE_DATE, []])
  }, 120_000)

  test(`${ONE_DATE} of one type on one date cannot be listed whole: incomplete, with the date and how many were seen`, async () => {
    const { client, reconcile } = await business()
    const issuedAt = '2026-11-05T10:00:00.000Z'
    for (let n = 0; n < ONE_DATE; n += 1)
      await client.admin('POST', '/operations/create-invoice', { issuedAt, type: 'E31' })
    const { code, result, stderr } = await reconcile('--from', '2026-11-01', '--to', '2026-11-10')
    expect([code, result.complete]).toEqual([3, false])
    expect(stderr).toContain('2026-11-05')
    expect(result.items).toBe(500)
  }, 120_000)

  test('documents that are added during the sweep are seen, and none is doubled', async () => {
    const { client, play, reconcile } = await business()
    await play('burst', 300)
    await client.admin('PUT', '/laboratory', { sync: { fault: 'slow', share: 1, slowMs: 60 } })
    const running = reconcile('--page-size', '20')
    const added = await play('burst', 40, 9)
    const { result } = await running
    expect(result.complete).toBe(true)
    expect(result.items).toBeGreaterThanOrEqual(300)
    expect(result.items).toBeLessThanOrEqual(300 + added.length)
    await client.admin('DELETE', '/laboratory')
    const again = await reconcile()
    expect([again.code, again.result.items]).toEqual([0, 300 + added.length])
    expect(again.result.counts.matched).toBe(300 + added.length)
  }, 120_000)

  test('the treasury route lists debts only, and both routes print a line each', async () => {
    const { play, reconcile } = await business()
    await play('month', 60)
    const { printed, code } = await reconcile('--route', 'both', '--page-size', '7')
    expect(printed.map(({ route, complete }) => [route, complete])).toEqual([
      ['accounting', true],
      ['treasury', true],
    ])
    expect(printed[0]?.items).toBe(60)
    expect(printed[1]?.items).toBeLessThan(60)
    expect([code, printed.map(({ counts }) => counts.missing)]).toEqual([0, [0, 0]])
  }, 120_000)
})
