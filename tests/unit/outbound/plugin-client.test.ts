import { expect, test } from 'vitest'
import { createPluginPublisher } from '#outbound/plugin-client.ts'
import { rawTarget, text } from './raw-target.ts'
import { sender } from './rig.ts'

const TOKEN = 'token-9d41'
const timeouts = { connectMs: 5_000, answerMs: 5_000, totalMs: 10_000 }

async function published(answer: string, change: object = {}, data: string | null = null) {
  const target = await rawTarget((socket) => socket.write(text(answer)))
  const publisher = createPluginPublisher(sender(), {
    ...{
      baseUrl: `http://127.0.0.1:${target.port}/base`,
      token: TOKEN,
      timeouts,
      acceptAnyCertificate: false,
    },
    header: { name: 'Authorization', scheme: 'Bearer' },
    ...change,
  })
  const result = await publisher.publish({ eventType: 'inventario.movimiento', data })
  expect(JSON.stringify(result)).not.toContain(TOKEN)
  return { result, request: target.requests.map((bytes) => bytes.toString()).join('') }
}
const status = (code: number, body = '', head = '') =>
  `HTTP/1.1 ${code} X\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`

test("the event goes to the plugin route with the plugin's token, its data with the very characters (plugins/events)", async () => {
  const { request, result } = await published(
    status(202, '{"forwardedTo":2}'),
    {},
    '{"amount": 1.50,"a":"\\u00f1"}',
  )
  expect(request).toMatch(
    /^POST \/base\/api\/v1\/plugins\/events HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nAuthorization: Bearer token-9d41\r\n/,
  )
  expect(request).not.toMatch(/x-api-key/i)
  expect(request.slice(request.indexOf('\r\n\r\n') + 4)).toBe(
    '{"eventType":"inventario.movimiento","data":{"amount": 1.50,"a":"\\u00f1"}}',
  )
  expect(result).toMatchObject({ ok: true, status: 202, body: '{"forwardedTo":2}' })
})

test('header and scheme are a setting; without data there is none', async () => {
  const { request } = await published(status(202), { header: { name: 'X-Plugin', scheme: '' } })
  expect(request).toContain('\r\nX-Plugin: token-9d41\r\n')
  expect(request).toMatch(/\{"eventType":"inventario\.movimiento"\}$/)
})

test.each([
  [400, 'The specification gives 400 for an eventType other than cobro.registrado'],
  [401, 'does not know the token (401)'],
  [403, "only the plugin's own token is accepted"],
  [302, 'so the token went nowhere else'],
  [500, 'The specification does not show what that means here'],
])('%d is explained, with what the service said and without the token', async (code, sentence) => {
  const { result } = await published(status(code, `no: ${TOKEN}`, `X-Echo: ${TOKEN}\r\n`))
  expect(result).toMatchObject({ ok: false, status: code, body: 'no: ***' })
  expect(result.headers).toContain('***')
  expect(result.message).toContain(sentence)
})

test('no service there is a result', async () => {
  const { result } = await published('', { baseUrl: 'http://127.0.0.1:1' })
  expect(result).toMatchObject({ ok: false, status: null, body: '', headers: [] })
})
