import { startReceiver, startSandbox, validateEvent, waitFor } from 'acuse'
import { afterAll, beforeAll, expect, test } from 'vitest'

let receiver
let sandbox

beforeAll(async () => {
  receiver = await startReceiver({ forwardTo: process.env.HANDLER })
  sandbox = await startSandbox({ sendTo: receiver })
})
afterAll(async () => {
  await sandbox?.close()
  await receiver?.close()
})

test('the handler accepts an invoice and the answers of the authority', async () => {
  await sandbox.scenario('accepted')
  const [invoice] = await waitFor(receiver, 'kind:factura.created attempt:ok')
  const [accepted] = await waitFor(receiver, 'kind:dgii.aprobado attempt:ok')
  expect(accepted.documentId).toBe(invoice.documentId)
  expect(await receiver.deliveries('attempt:failed')).toEqual([])
})

test('the body arrives as the sandbox sent it, and is valid', async () => {
  await sandbox.emit('customer.created', { set: { '/data/LegalName': 'Ñandú, SRL' } })
  const [{ id }] = await waitFor(receiver, 'kind:customer.created')
  const body = await receiver.body(id)
  expect(JSON.parse(Buffer.from(body)).data.LegalName).toBe('Ñandú, SRL')
  expect(validateEvent(body).verdict).toBe('valid')
})
