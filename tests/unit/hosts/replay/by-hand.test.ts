import { expect, test } from 'vitest'
import { headerValues, hookReceiver } from '../../../support/hook-receiver.ts'
import { replayHost } from './support.ts'

test('a delivery is sent again exactly, and its attempt is kept with request and answer', async () => {
  const target = await hookReceiver((_, response) =>
    response.writeHead(201, { 'X-Said': 'yes' }).end('thanks'),
  )
  const { call, receive, target: save } = await replayHost()
  await save('erp', target.url)
  const [id = 0] = await receive(1)
  const { attempts } = await call('replay.send', { delivery: id, to: { target: 'erp' } })
  expect(attempts).toMatchObject([
    {
      deliveryId: id,
      origin: { by: 'hand' },
      target: 'erp',
      state: 'answered',
      status: 201,
      ok: true,
      tryNumber: 1,
    },
  ])
  const [attempt] = attempts
  const [came] = target.received
  const body = await call('deliveries.body', { id, view: 'raw', from: 0, length: 100_000 })
  expect(came?.body.toString('base64')).toBe(body.bytesBase64)
  expect(came && headerValues(came, 'X-Acuse-Replay')).toEqual([String(attempt?.id)])
  expect(came?.url).toBe('/hook?n=0')
  const detail = await call('attempts.get', { id: attempt?.id ?? 0 })
  expect(detail.answer?.headers).toContainEqual({ name: 'X-Said', value: 'yes', masked: false })
  const answer = await call('attempts.body', { id: detail.id, of: 'answer', from: 0, length: 100 })
  expect(Buffer.from(answer.bytesBase64, 'base64').toString()).toBe('thanks')
  expect((await call('settings.get', {})).defaultTarget).toBe('erp')
})
