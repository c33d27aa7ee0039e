import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectTest } from '#contract/connect.ts'
import { DEFAULT_ANSWER } from '#contract/defaults.ts'
import { type Assembled, assembled } from '../../../support/assembled.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'

let own: Assembled
beforeAll(async () => {
  own = await assembled()
})
afterAll(() => own.close())

const run = (url: string, method?: 'GET' | 'PUT'): Promise<ConnectTest> =>
  own.host.engine.call('connect.test', { url, ...(method ? { method } : {}) })

describe('the self-test sends a marked delivery and sees it arrive', () => {
  test.each([undefined, 'GET', 'PUT'] as const)(
    'straight to the receiver, unaltered (%s)',
    async (method) => {
      const result = await run(`${own.receiverUrl}hooks/x?y=%20`, method)
      expect(result).toMatchObject({
        outcome: 'arrived',
        method: method ?? 'POST',
        error: null,
        answer: { status: 200, hint: null },
        arrival: { endpoint: 'default', rejected: false, status: 200, changes: [] },
      })
      const { engine } = own.host
      expect(await engine.call('connect.state', {})).toMatchObject({ last: result })
      const { headers } = await engine.call('deliveries.get', { id: result.arrival?.id ?? 0 })
      expect(headers.some(({ name }) => name === 'X-Acuse-Self-Test')).toBe(true)
    },
  )

  test('somebody else answers: said with what he answered', { tags: 'long', timeout: 15_000 }, async () => {
    const { url } = await hookReceiver((_, response) =>
      response.writeHead(301, { Location: 'https://b.example/', Server: 'nginx' }).end('from elsewhere'),
    )
    expect(await run(url)).toMatchObject({
      outcome: 'elsewhere',
      arrival: null,
      answer: {
        status: 301,
        server: 'nginx',
        location: 'https://b.example/',
        text: 'from elsewhere',
        hint: 'redirect',
      },
    })
  })

  test('nobody listens there: why it could not be sent', async () => {
    expect(await run('http://127.0.0.1:1/')).toMatchObject({
      ...{ outcome: 'unreachable', answer: null, error: { code: 'connection-refused' } },
    })
  })

  test('an address where clouds hand out credentials is refused, whoever typed it', async () => {
    expect(await run('http://169.254.169.254/latest')).toMatchObject({
      outcome: 'unreachable',
      error: { code: 'destination-refused' },
    })
  })

  test('a demanded secret is not given away: it arrives as rejected, and the test says so', async () => {
    const { engine } = own.host
    const name = 'kept'
    await engine.call('endpoints.save', { name, path: '/kept', enabled: true, answer: DEFAULT_ANSWER })
    await engine.call('endpoints.set-secret', { name, header: 'X-Key', value: 's3cret', keepPrevious: false })
    expect(await run(`${own.receiverUrl}kept`)).toMatchObject({
      outcome: 'arrived',
      arrival: { endpoint: 'kept', rejected: true, status: 401 },
    })
  })

  test('one at a time; and with the receiver off nothing is sent', async () => {
    const { engine } = own.host
    const first = run(own.receiverUrl)
    await expect(run(own.receiverUrl)).rejects.toThrow('already running')
    await first
    await engine.call('receiver.stop', {})
    expect(await run(own.receiverUrl)).toMatchObject({ outcome: 'receiver-off', answer: null })
  })
})

test('over HTTPS with the generated certificate: it arrives, and a checking sender’s refusal is said', async () => {
  const secure = await assembled({ receiver: { enabled: true, port: 0, tls: { certificate: 'generated' } } })
  onTestFinished(() => secure.close())
  expect(secure.receiverUrl).toMatch(/^https:/)
  expect(await secure.host.engine.call('connect.test', { url: secure.receiverUrl })).toMatchObject({
    outcome: 'arrived',
    certificate: { code: 'tls', params: { reason: 'self-signed' } },
    arrival: { changes: [] },
  })
}, 20_000)
