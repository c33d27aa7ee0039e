import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { Capture } from '#core/ports.ts'
import { BAD_REQUESTS } from '../fixtures/http/bad-requests.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { openTestStore } from '../support/store.ts'
import { type WatchedReceiver, watchedReceiver } from '../support/watched-receiver.ts'

interface Row {
  readonly url: string
  readonly answer: number | null
}

/** Where the deliveries go, and what was kept there since the last look. */
async function openCapture(): Promise<{
  capture: Capture
  newRows(): Promise<readonly Row[]>
  close(): Promise<void>
}> {
  const opened = await openTestStore()
  let after: number | null = null
  return {
    capture: opened.store.capture,
    async newRows() {
      const rows = await opened.store.deliveries.scan(EVERYTHING, { after, limit: 1_000 })
      after = rows.at(-1)?.id ?? after
      return rows
    },
    close: async () => opened[Symbol.asyncDispose](),
  }
}

// Half requests end by these, so they are short here; what is tested is that they end.
const TIMES = { head: 150, bodyIdle: 150, check: 30, lingerIdle: 50, expectationBody: 50 }

describe(`${BAD_REQUESTS.length} bad requests on raw sockets (reliability, row 13)`, () => {
  let kept: Awaited<ReturnType<typeof openCapture>>
  let receiver: WatchedReceiver

  beforeAll(async () => {
    kept = await openCapture()
    receiver = await watchedReceiver(kept.capture, 1_048_576, TIMES)
  })
  afterAll(async () => {
    await receiver.stop()
    await kept.close()
  })

  test('there are at least 200 of them', () => {
    expect(BAD_REQUESTS.length).toBeGreaterThanOrEqual(200)
    expect(new Set(BAD_REQUESTS.map(({ bytes }) => bytes.toString('latin1'))).size).toBe(BAD_REQUESTS.length)
  })

  test('each ends, leaves a row, is never answered 2xx without one, and the good one after it is kept', async () => {
    const problems: string[] = []
    for (const [i, { name, bytes }] of BAD_REQUESTS.entries()) {
      const odd = await raw(receiver, bytes, { timeoutMs: 5_000 }).catch((error: unknown) => String(error))
      if (typeof odd === 'string') problems.push(`${name}: hangs: ${odd.slice(0, 100)}`)
      const good = await raw(receiver, requestBytes('POST', `/good/${i}`, `{"n":${i}}`))
      if (good.answers[0]?.status !== 200)
        problems.push(`${name}: the good one after it was not answered 200`)
      const rows = await kept.newRows()
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
  }, 110_000)
})
