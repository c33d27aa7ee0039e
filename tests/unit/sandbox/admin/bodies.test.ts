import { expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { runningSandbox, subscribedSandbox } from '../../../support/running-sandbox.ts'

test('POST /preview: shows the body that emit sends next, digit for digit, and keeps nothing', async () => {
  const now = Date.UTC(2026, 0, 15, 16)
  const { client } = await runningSandbox({ now: () => now })
  for (const { kind } of KINDS)
    for (const seed of [undefined, 7]) {
      const asked = seed === undefined ? { kind } : { kind, seed }
      const { body: before } = await client.admin('GET', '/state')
      const shown = (await client.admin('POST', '/preview', asked)).body.body
      expect((await client.admin('GET', '/state')).body).toEqual(before)
      expect((await client.admin('POST', '/preview', asked)).body.body).toBe(shown)
      const { events } = (await client.admin('POST', '/emit', asked)).body
      // Indentation adds blanks and line ends between tokens only.
      expect(shown.replace(/\n */g, '').replace(/": (?=["\d[{tfn-])/g, '":')).toBe(events[0].body)
    }
})

test('POST /send: exactly the text goes to the subscriptions of the kind, and is logged as such', async () => {
  const { client, hook } = await subscribedSandbox({ kinds: ['dgii.aprobado'] })
  const other = await hookReceiver()
  await client.admin('POST', '/subscriptions', { url: other.url, kinds: ['factura.created'] })
  const texts = [
    '{ "event":"dgii.aprobado",\r\n\t"Extra": 1.50, "data": [] }',
    '{"Event":"dgii.aprobado","Event":"x","data":{"DocumentId":"0000000A-0000-4000-8000-000000000000"}}',
    '7',
    ' "ñ\\u0000" ',
  ]
  for (const body of texts) {
    const { status, body: sent } = await client.admin('POST', '/send', { kind: 'dgii.aprobado', body })
    expect([status, sent.events.length, sent.events[0].body]).toEqual([200, 1, body])
    expect(await client.ended(sent.run)).toMatchObject([
      { cause: 'sent as edited', kind: 'dgii.aprobado', outcome: 'delivered', request: { body } },
    ])
  }
  expect([hook.received.map(({ body }) => body.toString()), other.received]).toEqual([texts, []])
  const { entries } = (await client.admin('GET', '/log?subject=0000000a-0000-4000-8000-000000000000')).body
  expect(entries).toHaveLength(1)
})
