import { expect, test } from 'vitest'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import { gives, rawTarget, status } from '../../outbound/rig.ts'
import { ranged, reconcileHost } from './support.ts'

const DAY = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
const INVOICE = { id: 77, group: 'factura' } as const
const NOTE = { id: 78, group: 'nota_credito' } as const
const MISSING: DocumentSelection = { classes: ['missing'] }

/** A document of a service with its own numbers, whose prefix does not show the type. */
const item = (n: number, type: number) => ({
  ...{ DocumentId: aUuid(n), Number: `F-${n}`, StatusId: 1, IsAnulated: false },
  IssuedAt: `${DAY}T10:00:00-04:00`,
  Accounting: { DocumentTypeId: type, IssuedAt: `${DAY}T10:00:00-04:00`, CurrencyCode: 'DOP', Total: 100 },
})

test("a document that neither captures nor its Number tell is rebuilt by the user's mapping alone (readings, Rebuilding)", async () => {
  const page = { items: [item(1, 77), item(2, 78)], count: 2, hasMore: false }
  const { port } = await rawTarget(gives(status(200, JSON.stringify(page))))
  const service = `http://127.0.0.1:${port}`
  const { call, connect, sweep, receiverUrl } = await reconcileHost()
  await connect(service, { apiKey: 'k' })
  const { id } = await call('sweeps.start', { connection: 'main', range: ranged() })
  await sweep(id, 'complete')
  const state = async () => {
    const { counts, missedEvents } = await call('reconciliation.summary', { sweep: id })
    const { events, left } = await call('recovery.rebuild', { sweep: id, select: MISSING, dryRun: true })
    return { missing: counts.missing, missedEvents, events, left }
  }
  const unknown = (documents: number) => [{ reason: 'kind-unknown', documents }]

  expect(await state()).toEqual({ missing: 2, missedEvents: { unknown: 2 }, events: 0, left: unknown(2) })
  const { row } = await call('reconciliation.document', { sweep: id, key: aUuid(1) })
  expect(row).toMatchObject({ cannotTell: expect.arrayContaining(['status-without-event']) })

  // A change of the mapping invalidates the comparison, as any change of the connection does.
  await connect(service, { previousName: 'main', documentTypes: [INVOICE] })
  const known = { 'factura.created': 1, unknown: 1 }
  expect(await state()).toEqual({ missing: 2, missedEvents: known, events: 1, left: unknown(1) })
  const both = { previousName: 'main', documentTypes: [INVOICE, NOTE] }
  await connect(service, { ...both, kinds: ['factura.created'] })
  const { counts } = await call('reconciliation.summary', { sweep: id })
  expect(counts).toMatchObject({ missing: 1, 'not-subscribed': 1 })

  await connect(service, both)
  expect(await state()).toMatchObject({ missing: 2, events: 2, left: [] })
  expect(await call('recovery.rebuild', { sweep: id, select: MISSING })).toMatchObject({ events: 2 })
  await call('deliveries.settled', { timeoutMs: 10_000 })
  const { rows } = await call('recovery.deliveries', { sweep: id, after: 0, limit: 10 })
  expect(rows.map(({ kind, number }) => `${kind} ${number}`).sort()).toEqual([
    'factura.created F-1',
    'nota_credito.created F-2',
  ])

  // Captured events decide the type first, since they are observations.
  const event = anEvent('gasto.created', { data: { ...item(3, 77), DocumentId: aUuid(3) } })
  const headers = { 'content-type': 'application/json' }
  await fetch(receiverUrl, { method: 'POST', headers, body: JSON.stringify(event) })
  await call('deliveries.settled', { timeoutMs: 10_000 })
  const { row: observed } = await call('reconciliation.document', { sweep: id, key: aUuid(1) })
  expect(observed.missed).toMatchObject([{ kind: 'gasto.created' }])
})
