import { describe, expect, test } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { BAD_REQUESTS } from '../fixtures/http/bad-requests.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { openTestStore } from '../support/store.ts'
import { watchedReceiver } from '../support/watched-receiver.ts'

// Half requests end by these, so they are short here; what is tested is that they end.
const TIMES = { head: 150, bodyIdle: 150, check: 30, lingerIdle: 50, expectationBody: 50 }

describe(`${BAD_REQUESTS.length} bad requests on raw sockets (reliability, row 13)`, () => {
  test('there are at least 200 of them', () => {
    expect(BAD_REQUESTS.length).toBeGreaterThanOrEqual(200)
    expect(new Set(BAD_REQUESTS.map(({ bytes }) => bytes.toString('latin1'))).size).toBe(BAD_REQUESTS.length)
  })

  test('each ends, leaves a row, is never answered 2xx without one, and the good one after it is kept', async () => {
    await using opened = await openTestStore()
    const { capture, deliveries } = opened.store
    const receiver = await watchedReceiver(capture, 1_048_576, TIMES)
    const problems: string[] = []
    let after: number | null = null
    for (const [i, { name, bytes }] of BAD_REQUESTS.entries()) {
      const odd = await raw(receiver, bytes, { timeoutMs: 5_000 }).catch((error: unknown) => String(error))
      if (typeof odd === 'string') problems.push(`${name}: hangs: ${odd.slice(0, 100)}`)
      const good = await raw(receiver, requestBytes('POST', `/good/${i}`, `{"n":${i}}`))
      if (good.answers[0]?.status !== 200)
        problems.push(`${name}: the good one after it was not answered 200`)
      const rows: DeliveryRow[] = await deliveries.scan(EVERYTHING, { after, limit: 1_000 })
      after = rows.at(-1)?.id ?? after
      const own = rows.filter(({ url }) => url !== `/good/${i}`)
      if (own.length === rows.length) problems.push(`${name}: the good one after it was not kept`)
      if (own.length === 0) problems.push(`${name}: left no row`)
      if (own.some(({ url, answer }) => url === '/smuggled' && answer === 200))
        problems.push(`${name}: took what it smuggled for a request`)
      const said = typeof odd === 'string' ? [] : odd.answers.map(({ status }) => status)
      for (const status of said)
        if (status < 300 && !own.some(({ answer }) => answer === status))
          problems.push(`${name}: ${status} without a row`)
    }
    expect(problems).toEqual([])
    expect(receiver.defects).toEqual([])
    await receiver.stop()
  }, 110_000)
})
