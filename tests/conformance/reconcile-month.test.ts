import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hookReceiver } from '../support/hook-receiver.ts'
import { type Business, business, found, type LogEntry, type Printed, traceable } from './reconcile-house.ts'

/** `npm test` goes through six hundred; the full proof is run with ACUSE_DOCUMENTS=10000. */
const DOCUMENTS = Number(process.env.ACUSE_DOCUMENTS ?? 600)
const TIME = Math.max(120_000, DOCUMENTS * 60)
const LOSSES = { lose: { share: 0.03 }, seed: 11 }

const created = (log: readonly LogEntry[]): readonly string[] =>
  log
    .filter(({ kind, lost }) => lost && /^(?:factura|nota_\w+|gasto)\.created$/.test(kind))
    .map(({ subject }) => subject)
    .sort()

const missing = ({ rows }: Printed): readonly string[] =>
  rows
    .filter((row) => row.class === 'missing')
    .map(({ documentId }) => documentId ?? '')
    .sort()

const ends: (() => Promise<void>)[] = []
let house: Business
let log: readonly LogEntry[]
let truth: ReturnType<typeof traceable>
/** A month with 3 % lost; more where so few documents would lose nothing of a kind. */
beforeAll(async () => {
  house = await business((end) => void ends.push(end))
  const share = DOCUMENTS < 2_000 ? 0.06 : LOSSES.lose.share
  await house.client.admin('PUT', '/laboratory', { ...LOSSES, lose: { share } })
  log = await house.play('month', DOCUMENTS)
  truth = traceable(log)
}, TIME)
beforeEach(() => house.client.admin('DELETE', '/laboratory'))
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

describe(`a month of ${DOCUMENTS} documents with lost events`, () => {
  test(
    'exactly those that leave a trace are found, none invented, each with the right kind; rebuilt, the handler has them all',
    async () => {
      for (const end of ['.created', '.updated', '.anulated'])
        expect([...truth.values()].some((kinds) => [...kinds].some((kind) => kind.endsWith(end)))).toBe(true)
      const { code, result, stderr } = await house.reconcile()
      expect([code, stderr, result.complete, result.items]).toEqual([1, '', true, DOCUMENTS])
      expect(found(result)).toEqual(truth)
      expect(missing(result)).toEqual(created(log))
      const { counts } = result
      expect(counts.matched + counts.differs + counts.missing).toBe(DOCUMENTS)
      expect([counts.webhookOnly, counts.notYetDue, counts.dateUnknown, counts.notSubscribed]).toEqual([
        0, 0, 0, 0,
      ])

      const handler = await hookReceiver()
      const recovered = await house.reconcile('--recover-to', handler.url)
      expect(recovered.stderr).toContain('Recovered:')
      const sure = [...truth].flatMap(([subject, kinds]) =>
        [...kinds].filter((kind) => !kind.endsWith('.updated')).map((kind) => `${kind} ${subject}`),
      )
      const got = handler.received.map(({ body, headers }) => {
        expect(headers[headers.indexOf('X-Acuse-Synthetic') + 1]).toBe('1')
        const { Event, data } = JSON.parse(body.toString())
        return `${Event} ${data.DocumentId}`
      })
      expect(got.sort()).toEqual(sure.sort())
      // What was rebuilt is never mistaken for captured.
      expect(recovered.result.counts).toEqual(counts)
    },
    TIME,
  )

  test('again with items in camel case, nested, in another order', {
    tags: 'long',
    timeout: TIME,
  }, async () => {
    const sync = { casing: 'camel', nesting: 'data', order: 'shuffled' }
    await house.client.admin('PUT', '/laboratory', { sync })
    const { result } = await house.reconcile()
    expect([result.complete, result.items]).toEqual([true, DOCUMENTS])
    expect(found(result)).toEqual(truth)
    await house.client.admin('PUT', '/laboratory', {
      sync: { casing: 'snake', nesting: 'accounting', order: 'descending' },
    })
    expect(found((await house.reconcile()).result)).toEqual(truth)
  })

  test(
    'again with items of id and Accounting only: creations exact, status and void cannot be told',
    async () => {
      await house.client.admin('PUT', '/laboratory', { sync: { reduce: 'id-accounting' } })
      const { result } = await house.reconcile()
      expect(missing(result)).toEqual(created(log))
      const rules = new Set(result.rows.flatMap(({ missed }) => missed.map(({ rule }) => rule)))
      expect([...rules].sort()).toEqual(['no-created', 'values-differ'])
      const updates = [...truth].filter(([, kinds]) => [...kinds].some((kind) => kind.endsWith('.updated')))
      const told = result.rows.filter(({ missed }) => missed.some(({ rule }) => rule === 'values-differ'))
      expect(told.map(({ documentId }) => documentId).sort()).toEqual(
        updates.map(([subject]) => subject).sort(),
      )
    },
    TIME,
  )

  test(
    'again with items of Number and Accounting only: joined by Number, creations exact',
    async () => {
      await house.client.admin('PUT', '/laboratory', { sync: { reduce: 'number-accounting' } })
      const { result } = await house.reconcile()
      expect([result.complete, result.items]).toEqual([true, DOCUMENTS])
      const numbers = new Map<string, string>()
      for (const { subject, kind, request } of log)
        if (kind.endsWith('.created')) numbers.set(subject, JSON.parse(request.body).data.Number)
      // An update carries the Number as well: what lost its creation alone is then known by it.
      const wanted = created(log)
        .map((subject) => numbers.get(subject))
        .sort()
      const got = result.rows.filter((row) => row.class === 'missing').map(({ number }) => number)
      expect(got.sort()).toEqual(wanted)
      for (const row of result.rows.filter((one) => one.class === 'missing'))
        expect(row.documentId).toBeNull()
      expect(new Set(result.rows.flatMap(({ missed }) => missed.map(({ rule }) => rule)))).not.toContain(
        'status-without-event',
      )
    },
    TIME,
  )
})
