import { describe, expect, test } from 'vitest'
import { accountingCells, type ForeignDocument, foreignLedger } from '../support/foreign-ledger.ts'
import { type ForeignShape, PLAIN_SHAPE } from '../support/foreign-shape.ts'
import { foreignHouse, saidOf, unmatched } from './foreign-house.ts'

const LOSES = (_: unknown, nth: number) => nth % 11 === 3
const named = (document: ForeignDocument) => accountingCells(document).map(([name]) => name)

describe('the comparison with a service that shares nothing with the sandbox (readings, Reconciling)', () => {
  test('how it writes values is no difference, and a lost update is found in each way of writing', {
    tags: 'long',
  }, async () => {
    const documents = foreignLedger({ seed: 21, count: 120 })
    const { reconcile, truth, service } = await foreignHouse(documents, {}, LOSES)
    const ways: readonly Partial<ForeignShape>[] = [
      ...([
        { numbers: 'text' },
        { digits: 'short' },
        { numbers: 'text', digits: 'long' },
        { zone: 'Z' },
      ] as const),
      ...([{ zone: 'none' }, { precision: 'second' }, { precision: 'tick' }] as const),
      ...([
        { zone: 'none', precision: 'milli' },
        { zone: 'none', precision: 'day' },
      ] as const),
    ]
    for (const way of ways) {
      service.turn({ shape: { ...PLAIN_SHAPE, ...way } })
      const { result } = await reconcile()
      expect([way, result.complete, saidOf(result)]).toEqual([way, true, unmatched(truth)])
      expect(result.sharedDifferences).toBeUndefined()
    }
    // Its clocks are not those of the connection's zone: every date is another one, which is told once.
    service.turn({ shape: { ...PLAIN_SHAPE, zone: 'none', offset: 330 } })
    const { result } = await reconcile()
    expect(result.sharedDifferences?.map(({ field }) => field).sort()).toEqual(['IssuedAt', 'LimitDate'])
    expect(result.sharedDifferences?.[0]?.documents).toBeGreaterThan(90)
    expect(saidOf(result)).toEqual(unmatched(truth))
  })

  test('what has nothing to compare is told as that, and what was missed of it all the same', {
    tags: 'long',
  }, async () => {
    const documents = foreignLedger({ seed: 22, count: 60 })
    const [one] = documents
    if (!one) throw new Error('no document')
    const without = named(one).filter((name) => name !== 'IssuedAt' && name !== 'DocumentTypeId')
    const { reconcile, truth, service } = await foreignHouse(documents, {}, LOSES)
    service.turn({
      shape: { ...PLAIN_SHAPE, without: [...without, 'Accounting'] },
      spoil: (_, item) => item.replace(/"Accounting":\{[^}]*\}/, '"Accounting":{}'),
    })
    const { result, code } = await reconcile('--fail-on', 'cannotTell')
    const rulesOf = (id: string) => (truth.get(id)?.rules ?? []).filter((rule) => rule !== 'values-differ')
    const expected = new Map(documents.map(({ id }) => [id, rulesOf(id)]))
    expect(result.counts).toMatchObject({
      matched: 0,
      cannotTell: [...expected.values()].filter((rules) => rules.length === 0).length,
    })
    for (const row of result.rows) {
      expect(row.missed.map(({ rule }) => rule).sort()).toEqual(
        [...(expected.get(row.documentId ?? '') ?? [])].sort(),
      )
      expect([row.rules.length > 0, row.reason.length > 10]).toEqual([true, true])
    }
    expect(code).toBe(1)
  })

  test('a note excuses amounts that moved after the last captured update, and nothing else', async () => {
    const base = foreignLedger({ seed: 23, count: 24, codes: [31] }).map((document) => ({
      ...document,
      voided: false,
    }))
    const noteOf = (of: ForeignDocument, nth: number): ForeignDocument => ({
      ...{
        ...of,
        id: of.id.replace(/^.{8}/, `0000000${nth}`),
        number: `E3400000000${nth}`,
        group: 'nota_credito',
      },
      ...{
        code: 34,
        type: 34,
        status: 2,
        totalBefore: null,
        modifies: of.id,
        issued: of.issued + 3_600_000_000,
      },
    })
    const [moved, dated, early, lost] = base as [
      ForeignDocument,
      ForeignDocument,
      ForeignDocument,
      ForeignDocument,
    ]
    const notes = [moved, dated, lost].map(noteOf)
    // Its note came before its own creation was told: what moved since then, no note explains.
    const before = { ...noteOf(early, 9), issued: early.issued - 3_600_000_000 }
    const documents = [...base, ...notes, before]
    const { reconcile, service } = await foreignHouse(
      documents,
      {},
      ({ kind, document }) => document.id === lost.id && kind === 'factura.updated',
    )
    const changed = new Set([moved, early, lost].map(({ id }) => id))
    service.documents = documents.map((one) => (changed.has(one.id) ? { ...one, total: '1.25' } : one))
    service.turn({
      spoil: ({ id }, item) => (id === dated.id ? item.replace(/("LimitDate":")\d{4}/, '$12031') : item),
    })
    const { result } = await reconcile()
    const said = new Map(result.rows.map((row) => [row.documentId, row]))
    expect(said.get(moved.id)).toMatchObject({ class: 'differs', missed: [], rules: ['note-explains'] })
    expect(said.get(moved.id)?.reason).toContain('note')
    for (const one of [dated, early])
      expect(said.get(one.id)).toMatchObject({ class: 'differs', missed: [{ rule: 'values-differ' }] })
    expect(result.rows).toHaveLength(changed.size + 1)
    for (const row of result.rows) expect(row.rules).not.toEqual([])
  })

  test('items without an id are joined by Number, and miss no event that carries none', async () => {
    const documents = foreignLedger({ seed: 24, count: 80 })
    const { reconcile, truth } = await foreignHouse(
      documents,
      { shape: { ...PLAIN_SHAPE, without: ['DocumentId'] } },
      LOSES,
    )
    const { result } = await reconcile()
    const unsure = new Set(['status-without-event', 'void-without-event'])
    const numbers = new Map(documents.map(({ id, number }) => [number, truth.get(id)?.rules ?? []]))
    for (const { number, missed, cannotTell } of result.rows.filter((row) => row.number !== null)) {
      const rules = numbers.get(number ?? '') ?? []
      expect(missed.map(({ rule }) => rule).sort()).toEqual(rules.filter((rule) => !unsure.has(rule)))
      expect(cannotTell).toEqual(expect.arrayContaining(rules.filter((rule) => unsure.has(rule))))
    }
    expect([result.counts.webhookOnly, result.complete]).toEqual([0, true])
  })

  test('a sweep of one type leaves the others out, a refused one judges nothing, and a void that it lacks differs', async () => {
    const documents = foreignLedger({ seed: 25, count: 90 })
    const { reconcile, service, truth } = await foreignHouse(documents, {}, LOSES)
    const of = (id: string | null) => documents.find((document) => document.id === id)
    const { result } = await reconcile('--document-type-id', '32')
    expect(result.items).toBe(documents.filter(({ type }) => type === 32).length)
    expect(result.rows.map(({ documentId }) => of(documentId)?.type)).toEqual(result.rows.map(() => 32))
    expect(result.counts).toMatchObject({ webhookOnly: 0, dateUnknown: 0 })

    service.turn({ fault: () => ({ status: 400 }) })
    const refused = await reconcile()
    expect([refused.code, refused.result.rows]).toEqual([3, []])
    expect(Object.values(refused.result.counts).every((count) => count === 0)).toBe(true)

    service.turn({})
    const voided = documents.find(({ id, voided }) => voided && truth.get(id)?.class === 'matched')
    service.documents = documents.map((one) => (one.id === voided?.id ? { ...one, voided: false } : one))
    const again = await reconcile()
    expect(again.result.rows.find(({ documentId }) => documentId === voided?.id)).toMatchObject({
      ...{ class: 'differs', missed: [], rules: ['void-not-in-service'] },
      reason: expect.stringContaining('does not have it as voided'),
    })
  })
})
