import { describe, expect, test } from 'vitest'
import { readExactly } from '#sandbox/domain/json.ts'
import { NO_LABORATORY, reshape, tampering } from '#sandbox/laboratory/laboratory.ts'
import { runningSandbox, subscribedSandbox } from '../../../support/running-sandbox.ts'

async function tampered(laboratory: object, events: readonly (readonly [kind: string, count: number])[]) {
  const { client, hook } = await subscribedSandbox()
  expect((await client.admin('PUT', '/laboratory', laboratory)).status).toBe(200)
  const entries = []
  for (const [kind, count] of events) {
    const { body } = await client.admin('POST', '/emit', { kind, count })
    entries.push(...(await client.ended(body.run)))
  }
  return { client, hook, entries }
}

describe('the laboratory tampers with deliveries, and the log keeps the truth', () => {
  test('a share is lost: the receiver gets the others, the log has them all', async () => {
    const { hook, entries } = await tampered({ lose: { share: 0.3 } }, [['factura.created', 400]])
    const lost = entries.filter(({ lost }) => lost)
    expect(entries).toHaveLength(400)
    expect(lost.length).toBeGreaterThan(80)
    expect(lost.length).toBeLessThan(160)
    expect(hook.received).toHaveLength(400 - lost.length)
    const told = { outcome: 'lost', laboratory: ['lost on purpose'], deeds: [{ code: 'lost' }], answer: null }
    for (const entry of lost) expect(entry).toMatchObject(told)
    const bodies = new Set(hook.received.map(({ body }) => body.toString()))
    for (const { request } of lost) expect(bodies.has(request.body)).toBe(false)
  })

  test('of chosen kinds only', async () => {
    const { entries } = await tampered({ lose: { share: 1, kinds: ['gasto.created'] } }, [
      ['gasto.created', 5],
      ['factura.created', 5],
    ])
    expect(entries.filter(({ lost }) => lost).map(({ kind }) => kind)).toEqual(Array(5).fill('gasto.created'))
  })

  test('same seed, same losses; another seed, others', () => {
    const losses = (seed: number) =>
      Array.from({ length: 200 }, (_, seq) =>
        tampering({ ...NO_LABORATORY, seed, lose: { share: 0.5, kinds: null } }, 'factura.created', seq, 1),
      ).map(({ lose }) => lose)
    expect(losses(7)).toEqual(losses(7))
    expect(losses(7)).not.toEqual(losses(8))
  })

  test('a duplicate is sent twice and counts once', async () => {
    const { hook, entries, client } = await tampered({ duplicate: { share: 1 } }, [['customer.created', 3]])
    expect(hook.received).toHaveLength(6)
    expect(new Set(hook.received.map(({ body }) => body.toString())).size).toBe(3)
    expect(entries.filter(({ laboratory }) => laboratory.includes('sent a second time'))).toHaveLength(3)
    expect((await client.admin('GET', '/state')).body.log.lost).toBe(0)
  })

  test('a cut delivery reaches the receiver in part and is lost', async () => {
    const { hook, entries } = await tampered({ cut: { share: 1 } }, [['factura.created', 1]])
    expect(entries).toMatchObject([
      { outcome: 'cut', lost: true, deeds: [{ code: 'cut' }], errorCode: 'cut' },
    ])
    expect(entries[0].laboratory).toEqual(['cut in the middle of the body'])
    const [received] = await hook.count(1)
    expect(received?.whole).toBe(false)
    expect(entries[0].request.body.startsWith(received?.body.toString())).toBe(true)
  })

  test('a delay keeps the order of a subject; a reordering does not', async () => {
    for (const [laboratory, order] of [
      [
        { delay: { share: 1, leastMs: 20, mostMs: 40, kinds: ['dgii.en_proceso'] } },
        ['factura.created', 'dgii.en_proceso', 'dgii.aceptado_condicional'],
      ],
      [
        { reorder: { share: 1, holdMs: 150, kinds: ['dgii.en_proceso'] } },
        ['factura.created', 'dgii.aceptado_condicional', 'dgii.en_proceso'],
      ],
    ] as const) {
      const { client, hook } = await tampered(laboratory, [])
      const { body } = await client.admin('POST', '/scenarios/conditional')
      const entries = await client.ended(body.run)
      expect(hook.received.map(({ body }) => JSON.parse(body.toString()).Event)).toEqual(order)
      expect(entries.flatMap(({ laboratory }) => laboratory)).toHaveLength(1)
    }
  })

  test('an outage of a scenario is told from a loss by the laboratory', async () => {
    const { client, hook } = await subscribedSandbox()
    const { body } = await client.admin('POST', '/scenarios/outage-day', { count: 12 })
    const entries = await client.ended(body.run)
    const lost = entries.filter(({ lost }) => lost)
    expect(lost.length).toBeGreaterThan(0)
    const told = { outcome: 'lost', laboratory: ['outage of the receiver'], deeds: [{ code: 'outage' }] }
    for (const entry of lost) expect(entry).toMatchObject(told)
    expect(hook.received).toHaveLength(entries.length - lost.length)
  })
})

describe('the laboratory tampers with the sync routes', () => {
  const range = { from: '2026-01-01', to: '2026-12-31' }
  async function reshaped(sync: object) {
    const { client } = await runningSandbox()
    const ids: string[] = []
    for (let day = 2; day < 9; day += 1) {
      const { body } = await client.admin('POST', '/operations/create-invoice', {
        issuedAt: `2026-01-0${day}T00:00:00Z`,
        paymentTermId: 3,
      })
      ids.push(body.id)
    }
    await client.admin('PUT', '/laboratory', { sync })
    const numbers = (body: { items: readonly { DocumentId: string }[] }) =>
      body.items.map(({ DocumentId }) => ids.indexOf(DocumentId))
    return { client, numbers }
  }

  test('answers 500, 429 with Retry-After, slowly, or half of the JSON', async () => {
    const { client } = await reshaped({ fault: 'error-500' })
    expect((await client.sync('accounting-sync', range)).status).toBe(500)
    await client.admin('PUT', '/laboratory', { sync: { fault: 'error-429', retryAfterSeconds: 17 } })
    const busy = await client.sync('treasury-sync')
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '17'])
    await client.admin('PUT', '/laboratory', { sync: { fault: 'slow', slowMs: 200 } })
    const before = performance.now()
    expect((await client.sync('treasury-sync')).status).toBe(200)
    expect(performance.now() - before).toBeGreaterThan(190)
    await client.admin('PUT', '/laboratory', { sync: { fault: 'truncated' } })
    await expect(client.sync('treasury-sync')).rejects.toThrow(SyntaxError)
    await client.admin('DELETE', '/laboratory')
    expect((await client.sync('treasury-sync')).body.count).toBe(7)
  })

  test('writes the items in another way', () => {
    const text =
      '{"DocumentId":"d","Number":"E31","StatusId":5,"Lines":[{"LineId":1,"UnitPrice":14.00}],"Accounting":{"CurrencyCode":"DOP","Total":10.10,"WasAcceptedByDGII":true}}'
    const as = (change: object) =>
      JSON.stringify(reshape(readExactly(text), { ...NO_LABORATORY.sync, ...change }))
    expect(as({})).toBe(text)
    expect(as({ reduce: 'id-accounting' })).toBe(
      '{"DocumentId":"d","Accounting":{"CurrencyCode":"DOP","Total":10.10,"WasAcceptedByDGII":true}}',
    )
    expect(as({ reduce: 'number-accounting', casing: 'snake' })).toBe(
      '{"number":"E31","accounting":{"currency_code":"DOP","total":10.10,"was_accepted_by_dgii":true}}',
    )
    expect(as({ reduce: 'id-accounting', nesting: 'accounting', casing: 'camel' })).toBe(
      '{"accounting":{"documentId":"d","currencyCode":"DOP","total":10.10,"wasAcceptedByDGII":true}}',
    )
    expect(as({ nesting: 'data' })).toBe(`{"data":${text}}`)
    expect(as({ casing: 'upper' })).toContain('"LINES":[{"LINEID":1,"UNITPRICE":14.00}]')
  })

  test('in descending order the latest come first, and the earlier ones by a narrower range', async () => {
    const { client, numbers } = await reshaped({ order: 'descending' })
    const { body } = await client.sync('accounting-sync', { ...range, pageSize: 3 })
    expect([numbers(body), body.hasMore]).toEqual([[6, 5, 4], true])
    const rest = await client.sync('accounting-sync', { ...range, to: '2026-01-03', pageSize: 3 })
    expect([numbers(rest.body), rest.body.hasMore]).toEqual([[2, 1, 0], false])
  })

  test('shuffled, a page holds the same items', async () => {
    const { client, numbers } = await reshaped({ order: 'shuffled' })
    const { body } = await client.sync('treasury-sync')
    expect(numbers(body)).not.toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(numbers(body).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})
