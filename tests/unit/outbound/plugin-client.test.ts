import { expect, test } from 'vitest'
import type { Params, Result } from '#contract/commands.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'
import { callSandbox } from '#outbound/sandbox-client.ts'
import { createPluginPublisher } from '#outbound/sync-client.ts'
import { runningSandbox } from '../../support/running-sandbox.ts'
import { gives, rawTarget, sender, status, timeouts } from './rig.ts'

const TOKEN = 'token-9d41'

async function published(answer: string, change: object = {}, data: string | null = null) {
  const target = await rawTarget(gives(answer))
  const baseUrl = `http://127.0.0.1:${target.port}/base`
  const publisher = createPluginPublisher(sender(), {
    ...{ baseUrl, token: TOKEN, timeouts, acceptAnyCertificate: false },
    pluginHeader: { name: 'Authorization', scheme: 'Bearer' },
    ...change,
  })
  const result = await publisher.publish({ eventType: 'inventario.movimiento', data })
  expect(JSON.stringify(result)).not.toContain(TOKEN)
  return { result, request: target.requests.map((bytes) => bytes.toString()).join('') }
}

test("the event goes to the plugin route with the plugin's token, its data with the very characters (plugins/events)", async () => {
  const data = '{"amount": 1.50,"a":"\\u00f1"}'
  const { request, result } = await published(status(202, '{"forwardedTo":2}'), {}, data)
  expect(request).toMatch(
    /^POST \/base\/api\/v1\/plugins\/events HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nAuthorization: Bearer token-9d41\r\n/,
  )
  expect(request).not.toMatch(/x-api-key/i)
  expect(request.split('\r\n\r\n')[1]).toBe(`{"eventType":"inventario.movimiento","data":${data}}`)
  expect(result).toMatchObject({ ok: true, status: 202, body: '{"forwardedTo":2}' })
})

test('header and scheme are a setting; without data there is none', async () => {
  const { request } = await published(status(202), { pluginHeader: { name: 'X-Plugin', scheme: '' } })
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

async function sandboxAt() {
  const { sandbox } = await runningSandbox()
  const address = { url: sandbox.url, adminToken: sandbox.adminToken }
  const call = <C extends SandboxCallName>(command: C, params: Params<C>): Promise<Result<C>> =>
    callSandbox(address, command, params)
  return { sandbox, address, call }
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it was not refused'),
    ({ code, message, details }) => ({ code, message, details }),
  )

test('refusals: a wrong token is forbidden, and stands in no message; content too deep to be written is none', async () => {
  const { address, call } = await sandboxAt()
  const wrong = { ...address, adminToken: 'admin_canary' }
  const refusal = await refusalOf(callSandbox(wrong, 'sandbox.state', {}))
  expect(refusal.code).toBe('forbidden')
  expect(JSON.stringify(refusal)).not.toContain('canary')
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  const emitted = await refusalOf(call('sandbox.emit', { kind: 'factura.created', data: deep }))
  expect(emitted.code).toBe('bad-params')
})

test('refusals: a sandbox that is gone, or is none, is not available', async () => {
  const { sandbox, call } = await sandboxAt()
  await sandbox.close()
  expect(await refusalOf(call('sandbox.state', {}))).toMatchObject({
    code: 'not-available',
    message: expect.stringContaining(sandbox.url),
  })
  for (const [code, body] of [
    [200, '<html>'],
    [404, 'Not found'],
    [500, '{"message":"no"}'],
    [500, 'null'],
  ] as const) {
    const { port } = await rawTarget(gives(status(code, body)))
    const stranger = { url: `http://127.0.0.1:${port}`, adminToken: 'x' }
    const refusal = await refusalOf(callSandbox(stranger, 'sandbox.state', {}))
    expect([body, refusal.code]).toEqual([body, 'not-available'])
  }
})
