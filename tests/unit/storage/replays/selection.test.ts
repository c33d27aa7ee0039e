import fc from 'fast-check'
import { expect } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Exclusion } from '#contract/replay.ts'
import { readFilter } from '#core/filter/read.ts'
import { runs } from '../../../support/depth.ts'
import { anEvent } from '../../../support/store.ts'
import { arrive, requestsOf, test } from '../fixture.ts'
import { addJob, everything, forward, ledgerIn, options, preview } from './support.ts'

const EVENTS = ['factura.created', 'factura.voided', 'cotizacion.created', 'pago.received', 'nobody.knows']
const PARTS = [
  'kind:factura.*',
  'kind:factura.created',
  'group:facturas',
  'verdict:>=warning',
  'verdict:valid',
  'verdict:unjudged',
  'doc:doc-1',
  'doc:DOC-2',
  'endpoint:erp',
  'is:rejected',
  'is:malformed',
  'is:duplicate',
  'is:replay',
  'is:late',
  'is:pinned',
  'ferreteria',
  '"tres marías"',
  'header.host:x',
  '/Tres Mar/',
  'body:FERRETER',
  'size:>100 method:post',
] as const

const part = fc
  .tuple(fc.constantFrom('', '', '-'), fc.constantFrom(...PARTS))
  .map(([not, text]) => `${not}${text}`)
const filterText = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.array(part, { maxLength: 2 }))
  .map(([all, other]) => (other.length > 0 ? `${all.join(' ')} (${other.join(' or ')})` : all.join(' ')))

/** The port's definition of exclusions, computed from the list's rows. */
function exclusion(row: DeliveryRow, include: readonly Exclusion[]): Exclusion | null {
  if (row.malformed !== null) return 'malformed'
  if (row.rejected && !include.includes('rejected')) return 'rejected'
  if (row.marks.includes('replay') && !include.includes('replay')) return 'replay'
  return null
}

test('a job, its preview and a forward select what a filter lists', async ({ store, folder }) => {
  const { deliveries } = store
  const given = Array.from({ length: 60 }, (_, n) => ({
    endpoint: n % 3 === 0 ? 'erp' : 'default',
    rejected: n % 11 === 0,
    malformed: n % 13 === 0 ? ('cut-off' as const) : null,
    headers: n % 7 === 0 ? ['X-Acuse-Replay', '1'] : ['Host', 'x'],
    body: anEvent(EVENTS[n % EVENTS.length] ?? '', {
      DocumentId: n % 4 === 0 ? `DOC-${n % 3}` : n,
      Name: n % 2 === 0 ? 'Ferretería Tres Marías' : `row ${n % 6}`,
    }),
  }))
  await arrive(store, ...given)
  await deliveries.pin([5, 6, 14], true)
  const ledger = ledgerIn(folder)
  const requests = requestsOf(folder)
  ledger.saveForward(undefined, forward(), 0)
  const ids = (lane: number) => ledger.waiting(lane, 0, 1_000).map(({ deliveryId }) => deliveryId)

  await fc.assert(
    fc.asyncProperty(filterText, fc.subarray(['rejected', 'replay'] as const), async (filter, include) => {
      const rows = await deliveries.scan(readFilter(filter), { after: null, limit: 1_000, newest: false })
      const source = { type: 'filter', filter } as const
      const sent = rows.filter((row) => exclusion(row, include) === null)
      const job = addJob(ledger, source, options({ include }), 0)
      expect(ids(job.id)).toEqual(sent.map(({ id }) => id))
      const shown = preview(ledger, source, include)
      expect(shown.count).toBe(sent.length)
      expect(shown.bytes).toBe(sent.reduce((sum, { size }) => sum + size, 0))
      for (const { reason, count } of shown.excluded)
        expect(count).toBe(rows.filter((row) => exclusion(row, include) === reason).length)
      expect(shown.excluded.reduce((sum, { count }) => sum + count, sent.length)).toBe(rows.length)
      ledger.removeJob(job.id)

      ledger.saveForward(undefined, forward({ name: 'other' }), 0)
      const lane = ledger.forwardLanes().find((one) => one.forward === 'other')?.lane ?? 0
      while (!ledger.feed(lane, readFilter(filter), 60).done);
      const wanted = rows.filter((row) => exclusion(row, []) === null && row.verdict !== null)
      const mayGo = (id: number) => requests.forwardable(id, readFilter(filter))
      expect(rows.filter(({ id }) => mayGo(id))).toEqual(wanted)
      expect(ids(lane)).toEqual(wanted.map(({ id }) => id))
      ledger.removeForward('other')
    }),
    { numRuns: runs(50) },
  )
  expect(preview(ledger, everything, ['rejected', 'replay']).count).toBeGreaterThan(40)
}, 60_000)
