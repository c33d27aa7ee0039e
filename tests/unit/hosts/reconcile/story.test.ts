import { expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Pushes } from '#contract/pushes.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { business, ranged, until } from './support.ts'

const CREATED = /^(?:factura|nota_\w+|gasto)\.created$/

test('a lossy month: swept, compared, rebuilt, replayed; the sweep after it finds nothing new', async () => {
  const house = await business()
  const { call } = house
  await house.client.admin('PUT', '/laboratory', { lose: { share: 0.1 }, seed: 11 })
  const log = await house.play('month', 120)
  await house.client.admin('DELETE', '/laboratory')
  const lost = log.filter((entry) => entry.lost && CREATED.test(entry.kind)).map(({ subject }) => subject)
  expect(lost.length).toBeGreaterThan(3)

  const { id } = await call('sweeps.start', { connection: 'main', range: ranged() })
  const swept = await house.sweep(id, 'complete')
  expect(swept).toMatchObject({ problems: [], retries: 0, mapping: { documentId: '/DocumentId' } })
  expect(swept.requests).toBe(swept.pages)
  expect(swept.items).toBeGreaterThan(swept.documents)

  const summary = await call('reconciliation.summary', { sweep: id })
  expect(summary.counts).toMatchObject({ missing: lost.length, 'not-yet-due': 0 })
  expect(Object.values(summary.counts).reduce((sum, count) => sum + count)).toBe(swept.documents)
  const { rows } = await call('reconciliation.rows', {
    sweep: id,
    classes: ['missing'],
    from: 0,
    limit: 1_000,
  })
  expect(rows.map(({ documentId }) => documentId).sort()).toEqual([...lost].sort())

  const select = { classes: ['missing', 'differs'] } as const
  const missed = async () => {
    const found = await call('deliveries.scan', { filter: 'is:missed', after: null, limit: 1_000 })
    return found.rows
  }
  const heardOf = await missed()
  expect(heardOf.length).toBeGreaterThan(0)
  const owing = await call('reconciliation.rows', {
    sweep: id,
    classes: ['missing', 'differs'],
    from: 0,
    limit: 1_000,
  })
  const certain = owing.rows.filter((row) => row.missed.some(({ certainty }) => certainty === 'missed'))
  for (const { documentId } of heardOf) expect(certain.map((row) => row.documentId)).toContain(documentId)

  const dry = await call('recovery.rebuild', { sweep: id, select, dryRun: true })
  expect(dry).toMatchObject({ ids: null })
  expect(dry.documents).toBeGreaterThanOrEqual(lost.length)
  const recovery = await call('recovery.rebuild', { sweep: id, select })
  expect({ ...recovery, ids: null }).toEqual(dry)
  const rebuilt = await call('recovery.deliveries', { sweep: id, after: 0, limit: 1_000 })
  expect(rebuilt.rows).toHaveLength(recovery.events)
  expect(rebuilt.rows[0]?.id).toBe(recovery.ids?.first)
  await call('deliveries.settled', { timeoutMs: 10_000 })
  const { rows: marked } = await call('deliveries.scan', {
    filter: 'is:synthetic',
    after: null,
    limit: 1_000,
  })
  expect(marked.map((row) => row.id)).toEqual(rebuilt.rows.map((row) => row.id))
  expect(new Set(marked.map(({ verdict }) => verdict))).not.toContain('invalid')

  const withRebuilt = (await missed()).map((row) => row.id)
  expect(withRebuilt).toEqual(expect.arrayContaining(rebuilt.rows.map((row) => row.id)))
  expect(withRebuilt).toHaveLength(heardOf.length + rebuilt.rows.length)
  const preview = await call('jobs.preview', {
    source: { type: 'filter', filter: 'is:missed is:synthetic' },
    options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'http://127.0.0.1:9/' } },
  })
  expect(JSON.stringify(preview)).toContain(String(rebuilt.rows.length))

  const again = await call('recovery.rebuild', { sweep: id, select, dryRun: true })
  expect(again.events).toBe(0)
  expect(again.left).toContainEqual({ reason: 'already-rebuilt', documents: recovery.documents })

  const handler = await hookReceiver((_, response) => response.end())
  const ids = rebuilt.rows.map((row) => row.id)
  const job = await call('jobs.start', {
    source: { type: 'ids', ids },
    options: { ...DEFAULT_JOB_OPTIONS, to: { target: handler.url } },
  })
  await house.job(job.id, 'done')
  expect(handler.received).toHaveLength(ids.length)
  for (const { headers } of handler.received) expect(headers).toContain('X-Acuse-Synthetic')
  const after = await call('reconciliation.rows', { sweep: id, classes: ['missing'], from: 0, limit: 1_000 })
  expect(after.rows).toHaveLength(lost.length)
  for (const row of after.rows) expect(row.recovered).toMatchObject({ status: 200 })

  const second = await call('sweeps.start', { connection: 'main', range: ranged() })
  await house.sweep(second.id, 'complete')
  // What was rebuilt is no capture: the misses stay misses, and are known as recovered.
  const later = await call('reconciliation.summary', { sweep: second.id })
  expect(later.counts).toEqual(summary.counts)
  expect(later.recovered).toBeGreaterThanOrEqual(lost.length)
  await call('sweeps.remove', { id: second.id })
  expect(await missed()).toEqual([])
})

test('both routes are swept; progress is pushed; the key is nowhere but at the service', async () => {
  const house = await business()
  const { call } = house
  await house.play('month', 60)
  const pushed: Pushes['sweeps.changed'][] = []
  house.subscribe((push, payload) => {
    if (push === 'sweeps.changed') pushed.push(payload as Pushes['sweeps.changed'])
  })
  const test = await call('connections.test', { name: 'main', route: 'accounting' })
  expect(test).toMatchObject({ ok: true, status: 200, items: 1, mapping: { documentId: '/DocumentId' } })
  const range = ranged({ route: 'treasury', from: null, to: null, pageSize: 7 })
  const { id } = await call('sweeps.start', { connection: 'main', range })
  const swept = await house.sweep(id, 'complete')
  expect(swept.documents).toBeGreaterThan(7)
  expect(swept.documents).toBe(swept.items)
  await until(
    () => pushed.at(-1)?.sweeps[0]?.state,
    (state) => state === 'complete',
  )
  expect(await call('sweeps.remove', { id })).toEqual({ removed: 1 })
  await until(
    () => pushed.at(-1),
    (last) => last?.removed[0] === id,
  )
  const { sweeps } = await call('sweeps.list', {})
  expect(sweeps).toEqual([])
  const said = JSON.stringify([pushed, test, swept, await call('settings.get', {}), house.warnings])
  expect(said).not.toContain(house.sandbox.apiKey)
  expect(said).not.toContain(house.sandbox.pluginToken)
})

test('faults of the service are waited out and counted', async () => {
  const house = await business()
  await house.play('month', 40)
  for (const fault of ['error-500', 'truncated'] as const) {
    await house.client.admin('PUT', '/laboratory', { sync: { fault, share: 0.3 }, seed: 5 })
    const { id } = await house.call('sweeps.start', { connection: 'main', range: ranged({ pageSize: 5 }) })
    const swept = await house.sweep(id, 'complete', 'incomplete', 'failed')
    expect(swept).toMatchObject({ state: 'complete', problems: [] })
    expect(swept.retries).toBeGreaterThan(0)
    expect(swept.requests).toBe(swept.pages + swept.retries)
  }
})
