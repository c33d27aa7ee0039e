import { expect, test } from 'vitest'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { jobTo } from '../replay/support.ts'
import { business, ranged } from './support.ts'

const CREATED = /^(?:factura|nota_\w+|gasto)\.created$/

test('a lossy month: swept, compared, rebuilt, replayed; the sweep after it finds nothing new', async () => {
  const house = await business()
  const { call } = house
  await house.client.admin('PUT', '/laboratory', { lose: { share: 0.1 }, seed: 11 })
  const log = await house.play('month', 120)
  await house.client.admin('DELETE', '/laboratory')
  const lost = log.filter((entry) => entry.lost && CREATED.test(entry.kind)).map(({ subject }) => subject)
  const { id } = await call('sweeps.start', { connection: 'main', range: ranged() })
  const swept = await house.sweep(id, 'complete')
  expect(swept).toMatchObject({ problems: [], retries: 0, mapping: { documentId: '/DocumentId' } })
  expect(swept.requests).toBe(swept.pages)
  const summary = await call('reconciliation.summary', { sweep: id })
  expect(summary.counts).toMatchObject({ missing: lost.length, 'not-yet-due': 0 })
  const select = { classes: ['missing', 'differs'] } as const
  const scan = async (filter: string) =>
    (await call('deliveries.scan', { filter, after: null, limit: 1_000 })).rows
  const missed = () => scan('is:missed')
  const heardOf = await missed()
  expect(heardOf.length).toBeGreaterThan(0)
  const owing = await call('reconciliation.rows', { sweep: id, ...select, from: 0, limit: 1_000 })
  const certain = owing.rows.filter((row) => row.missed.some(({ certainty }) => certainty === 'missed'))
  for (const { documentId } of heardOf) expect(certain.map((row) => row.documentId)).toContain(documentId)

  const dry = await call('recovery.rebuild', { sweep: id, select, dryRun: true })
  const recovery = await call('recovery.rebuild', { sweep: id, select })
  expect({ ...recovery, ids: null }).toEqual(dry)
  const rebuilt = await call('recovery.deliveries', { sweep: id, after: 0, limit: 1_000 })
  expect(rebuilt.rows).toHaveLength(recovery.events)
  expect(rebuilt.rows[0]?.id).toBe(recovery.ids?.first)
  await call('deliveries.settled', { timeoutMs: 10_000 })
  const marked = await scan('is:synthetic')
  expect(marked.map((row) => row.id)).toEqual(rebuilt.rows.map((row) => row.id))
  expect(new Set(marked.map(({ verdict }) => verdict))).not.toContain('invalid')

  const withRebuilt = (await missed()).map((row) => row.id)
  expect(withRebuilt).toEqual(expect.arrayContaining(rebuilt.rows.map((row) => row.id)))
  expect(withRebuilt).toHaveLength(heardOf.length + rebuilt.rows.length)
  const again = await call('recovery.rebuild', { sweep: id, select, dryRun: true })
  expect(again.events).toBe(0)
  expect(again.left).toContainEqual({ reason: 'already-rebuilt', documents: recovery.documents })

  const handler = await hookReceiver((_, response) => response.end())
  const ids = rebuilt.rows.map((row) => row.id)
  const job = await call('jobs.start', { source: { type: 'ids', ids }, options: jobTo(handler.url) })
  await house.job(job.id, 'done')
  await call('reconciliation.summary', { sweep: id })
  const classes = ['missing', 'recovered'] as const
  const after = await call('reconciliation.rows', { sweep: id, from: 0, limit: 1_000, classes })
  const created = after.rows.filter(({ rules }) => rules.includes('no-created'))
  expect(created).toHaveLength(lost.length)
  for (const row of created) expect(row.recovered).toMatchObject({ status: 200 })

  const second = await call('sweeps.start', { connection: 'main', range: ranged() })
  await house.sweep(second.id, 'complete')
  // Rebuilt deliveries are not captures: a later sweep misses the same documents and shows them as recovered.
  const later = await call('reconciliation.summary', { sweep: second.id })
  const sum = ({ counts }: typeof later) => counts.missing + counts.differs + counts.recovered
  expect(sum(later)).toBe(sum(summary))
  expect([later.counts.missing, later.notRecovered, later.atStake]).toEqual([0, 0, []])
  expect(later.counts.recovered).toBeGreaterThanOrEqual(lost.length)
  await call('sweeps.remove', { id: second.id })
  expect(await missed()).toEqual([])
})
