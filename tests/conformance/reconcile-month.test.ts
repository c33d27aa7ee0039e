import { expect, test } from 'vitest'
import { hookReceiver } from '../support/hook-receiver.ts'
import { business, found, traceable } from './reconcile-house.ts'

/** Number of documents. ACUSE_DOCUMENTS=10000 runs the full proof. */
const DOCUMENTS = Number(process.env.ACUSE_DOCUMENTS ?? 600)
const TIME = Math.max(120_000, DOCUMENTS * 60)
/** Share of lost deliveries; larger with few documents, so that each kind loses some. */
const SHARE = DOCUMENTS < 2_000 ? 0.06 : 0.03

test(`of a month of ${DOCUMENTS} documents with lost events exactly those that leave a trace are found, each with the right kind; rebuilt, the handler has them all`, {
  timeout: TIME,
}, async () => {
  const house = await business()
  await house.client.admin('PUT', '/laboratory', { lose: { share: SHARE }, seed: 11 })
  const log = await house.play('month', DOCUMENTS)
  const truth = traceable(log)
  await house.client.admin('DELETE', '/laboratory')
  for (const end of ['.created', '.updated', '.anulated'])
    expect([...truth.values()].some((kinds) => [...kinds].some((kind) => kind.endsWith(end)))).toBe(true)
  const { code, result, stderr } = await house.reconcile()
  expect([code, stderr, result.complete, result.items]).toEqual([1, '', true, DOCUMENTS])
  expect(found(result)).toEqual(truth)
  const created = log.filter(({ kind, lost }) => lost && /^(?:factura|nota_\w+|gasto)\.created$/.test(kind))
  const missing = result.rows.filter((row) => row.class === 'missing')
  expect(missing.map(({ documentId }) => documentId).sort()).toEqual(
    created.map(({ subject }) => subject).sort(),
  )
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
  // Rebuilt deliveries never count as captured, and updates are not rebuilt.
  const owed = result.rows.filter(
    ({ class: name, missed }) => name === 'differs' && missed.some(({ kind }) => kind?.endsWith('.updated')),
  ).length
  const taken = counts.differs + counts.missing - owed
  expect(recovered.result.counts).toEqual({ ...counts, differs: owed, missing: 0, recovered: taken })
})
