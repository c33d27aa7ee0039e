import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { parseAddress } from '#outbound/address.ts'
import { createProxies, type Environment } from '#outbound/proxies.ts'
import { listening } from '../../support/hook-receiver.ts'
import {
  type Answering,
  NO_CONTENT,
  outgoing,
  rawTarget,
  secureTarget,
  sender,
  text,
  trustTheAuthority,
} from './rig.ts'

/** Connects every tunnel to one port of this machine, whatever its target. */
const tunnelTo =
  (port: number): Answering =>
  (socket, request) => {
    if (!request.toString('latin1').startsWith('CONNECT ')) return void socket.write(NO_CONTENT)
    const on = connect(port, '127.0.0.1', () => {
      socket.removeAllListeners('data')
      socket.write(text('HTTP/1.1 200 Connection established\r\n\r\n'))
      socket.pipe(on).pipe(socket)
    })
    on.on('error', () => socket.destroy())
  }

const lookup = () => Promise.reject(Object.assign(new Error('not here'), { code: 'ENOTFOUND' }))
const sentThrough = (environment: Environment, url = 'http://far.test/', change = {}) =>
  sender({ environment, lookup }).send(outgoing(url, change))

test('proxies: a plain request goes to the proxy with its whole URL, raw, and nothing else changed', async () => {
  const proxy = await rawTarget()
  const sends = sender({ environment: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }, lookup })
  const outcome = await sends.send(outgoing('http://far.test:8080/a/../b?%zz'))
  expect(outcome).toMatchObject({ error: null, address: `127.0.0.1:${proxy.port}` })
  expect(proxy.requests.map(String)).toEqual([
    'POST http://far.test:8080/a/../b?%zz HTTP/1.1\r\nHost: target.test\r\n\r\n',
  ])
  expect(await sends.send(outgoing('http://far.test:8080/'))).toMatchObject({ reusedConnection: true })
  // Another destination needs another connection, since a proxy may bind a connection to one.
  expect(await sends.send(outgoing('http://near.test/'))).toMatchObject({ reusedConnection: false })
})

test('proxies: user and password go to the proxy', async () => {
  const proxy = await rawTarget()
  const environment = { http_proxy: `http://us%20er:p%40ss@127.0.0.1:${proxy.port}` }
  await sentThrough(environment)
  expect(proxy.requests[0]?.toString()).toContain(
    `Proxy-Authorization: Basic ${Buffer.from('us er:p@ss').toString('base64')}\r\n`,
  )
})

test('proxies: a request over TLS goes through a tunnel, and the proxy sees nothing of it', async () => {
  const target = await secureTarget('issued')
  const proxy = await rawTarget(tunnelTo(target.port))
  const environment = { HTTPS_PROXY: `http://u:p@127.0.0.1:${proxy.port}` }
  const sends = sender({ environment, lookup })
  const request = outgoing('https://far.test/x', { acceptAnyCertificate: true })
  const outcome = await sends.send(request)
  expect(outcome).toMatchObject({ error: null, address: `127.0.0.1:${proxy.port}` })
  expect(outcome.timings.tlsUs).toBeGreaterThan(0)
  expect(await sends.send(request)).toMatchObject({ error: null, reusedConnection: true })
  expect(proxy.requests.map(String)).toEqual([
    'CONNECT far.test:443 HTTP/1.1\r\nHost: far.test:443\r\nProxy-Authorization: Basic dTpw\r\n\r\n',
  ])
  expect(String(target.requests[0])).toBe('POST /x HTTP/1.1\r\nHost: target.test\r\n\r\n')
  expect(target.all.map((socket) => socket.servername)).toEqual(['far.test'])
  // The certificate checked is the target's.
  const checked = await sends.send({ ...request, acceptAnyCertificate: false })
  expect(checked.error).toMatchObject({ code: 'tls', params: { host: 'far.test' } })
})

test('proxies: a proxy can be behind TLS itself, with a certificate that is checked', async () => {
  const proxy = await secureTarget('issued')
  const environment = { HTTP_PROXY: `https://localhost:${proxy.port}` }
  const refused = await sentThrough(environment)
  expect(refused.error).toMatchObject({ code: 'proxy', params: { variable: 'HTTP_PROXY' } })
  trustTheAuthority()
  expect(await sentThrough(environment)).toMatchObject({ error: null, answer: { status: 204 } })
  expect(proxy.requests.map(String)).toEqual(['POST http://far.test/ HTTP/1.1\r\nHost: target.test\r\n\r\n'])
})

test.each([
  [407, 'requires a user and a password: add them to HTTPS_PROXY'],
  [403, 'it answered 403 Because. Allow the destination there'],
])('proxies: a tunnel refused with %i is an error of the proxy', async (status, words) => {
  const proxy = await rawTarget((socket) =>
    socket.end(text(`HTTP/1.1 ${status} Because\r\nContent-Length: 0\r\n\r\n`)),
  )
  const environment = { HTTPS_PROXY: `http://u:secret@127.0.0.1:${proxy.port}` }
  const { error } = await sentThrough(environment, 'https://far.test/')
  expect(error).toMatchObject({
    code: 'proxy',
    params: { status, proxy: `http://127.0.0.1:${proxy.port}`, variable: 'HTTPS_PROXY' },
  })
  expect(error?.message).toContain(words)
  expect(JSON.stringify(error)).not.toContain('secret')
})

test('proxies: a proxy that says nothing is named when the time to connect is over', async () => {
  const proxy = await rawTarget(() => {})
  const environment = { HTTPS_PROXY: `http://u:secret@127.0.0.1:${proxy.port}` }
  const { error } = await sentThrough(environment, 'https://far.test/', { timeouts: { connectMs: 30 } })
  expect(error).toMatchObject({ code: 'connect-timeout', params: { variable: 'HTTPS_PROXY', ms: 30 } })
  expect(error?.message).toContain(`through the proxy http://127.0.0.1:${proxy.port} (HTTPS_PROXY)`)
  expect(JSON.stringify(error)).not.toContain('secret')
})

test('proxies: an answer 407 to a plain request has the answer and the error', async () => {
  const proxy = await rawTarget((socket) =>
    socket.write(text('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')),
  )
  const { answer, error } = await sentThrough({ HTTP_PROXY: `127.0.0.1:${proxy.port}` })
  expect(answer?.status).toBe(407)
  expect(error).toMatchObject({ code: 'proxy', params: { status: 407, variable: 'HTTP_PROXY' } })
})

test.each([
  ['nothing listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
  ['is not found', 'http://proxy.test:3128', 'ENOTFOUND'],
])('proxies: a proxy that %s is an error of the proxy', async (_what, url, reason) => {
  const { error } = await sentThrough({ HTTP_PROXY: url })
  expect(error).toMatchObject({ code: 'proxy', params: { proxy: url, reason, variable: 'HTTP_PROXY' } })
  expect(error?.message).toContain('name the destination in NO_PROXY')
})

test('proxies: a proxy that speaks no TLS is told so in words, not in those of OpenSSL', async () => {
  const url = `https://127.0.0.1:${await listening(createServer((_, response) => response.end()))}`
  const { error } = await sentThrough({ HTTP_PROXY: url })
  expect(error).toMatchObject({ code: 'proxy', params: { proxy: url } })
  expect(error?.message).toContain('it does not speak TLS at this port. Start or correct it')
  expect(error?.message).not.toContain('SSL')
})

test.each(['socks5://127.0.0.1:1080', 'http://', '::::'])('proxies: %s cannot be used', async (url) => {
  const { error } = await sentThrough({ HTTP_PROXY: url })
  expect(error).toMatchObject({ code: 'proxy' })
  expect(error?.message).toContain('only http:// and https:// ones')
})

test.each(['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal/'])(
  'proxies: %s is refused though a proxy would lead there',
  async (url) => {
    const proxy = await rawTarget()
    const { error } = await sentThrough({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }, url)
    expect(error?.code).toBe('destination-refused')
    expect(proxy.connections()).toBe(0)
  },
)

test('proxies: loopback destinations go past it', async () => {
  const to = await rawTarget()
  const sends = sender({ environment: { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: '' } })
  for (const host of ['127.0.0.1', 'localhost', 'app.localhost'])
    expect((await sends.send(outgoing(`http://${host}:${to.port}/`))).error).toBeNull()
})

const through = (url: string, environment: Environment): boolean => {
  const parsed = parseAddress(url)
  if ('error' in parsed) throw new Error(parsed.error.message)
  const proxies = createProxies({ http_proxy: 'proxy.test', https_proxy: 'proxy.test', ...environment })
  return proxies(parsed.address) !== null
}

test.each([
  ['', 'http://far.test/', true],
  ['*', 'http://far.test/', false],
  ['far.test', 'http://far.test/', false],
  ['FAR.test', 'https://Far.TEST./', false],
  ['far.test', 'http://sub.far.test/', false],
  ['.far.test', 'http://sub.far.test/', false],
  ['*.far.test', 'http://sub.far.test/', false],
  ['far.test', 'http://notfar.test/', true],
  ['far.test:8080', 'http://far.test:8080/', false],
  ['far.test:8080', 'http://far.test/', true],
  ['one.test, far.test two.test', 'http://far.test/', false],
  ['10.0.0.0/8', 'http://10.1.2.3/', false],
  ['10.0.0.0/8', 'http://11.1.2.3/', true],
  ['10.0.0.0/99', 'http://10.1.2.3/', true],
  ['10.1.2.3', 'http://10.1.2.3/', false],
  ['2.3', 'http://10.1.2.3/', true],
  ['fd00::/8', 'http://[fd12::1]/', false],
  ['[2001:db8::1]:80', 'http://[2001:db8::1]/', false],
  ['2001:db8::1', 'http://[2001:db8::1]:8080/', false],
])('NO_PROXY as curl and Go read it: %j: %s goes through it: %s', (no_proxy, url, goes) =>
  expect(through(url, { no_proxy })).toBe(goes),
)

test('NO_PROXY as curl and Go read it: small letters first, and each scheme its own', () => {
  expect(through('http://far.test/', { http_proxy: '', HTTP_PROXY: '' })).toBe(false)
  expect(through('https://far.test/', { http_proxy: '' })).toBe(true)
  expect(through('http://far.test/', { NO_PROXY: '*' })).toBe(false)
  expect(through('http://far.test/', { NO_PROXY: '*', no_proxy: '' })).toBe(true)
})
