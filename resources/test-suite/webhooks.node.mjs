import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startReceiver, startSandbox, waitFor } from 'acuse'

let receiver
let sandbox

before(async () => {
  receiver = await startReceiver({ forwardTo: process.env.HANDLER })
  sandbox = await startSandbox({ sendTo: receiver })
})
after(async () => {
  await sandbox?.close()
  await receiver?.close()
})

test('the handler accepts an invoice and the answers of the authority', async () => {
  await sandbox.scenario('accepted')
  const [invoice] = await waitFor(receiver, 'kind:factura.created attempt:ok')
  const [accepted] = await waitFor(receiver, 'kind:dgii.aprobado attempt:ok')
  assert.equal(accepted.documentId, invoice.documentId)
  assert.deepEqual(await receiver.deliveries('attempt:failed'), [])
})

test('a wait that ends too early says what arrived instead', async () => {
  const wait = waitFor(receiver, 'kind:gasto.created', { timeoutMs: 100 })
  await assert.rejects(wait, ({ name, instead }) => name === 'WaitTimeout' && instead.length > 0)
})
