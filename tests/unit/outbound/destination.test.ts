import { expect, test } from 'vitest'
import type { Resolved } from '#outbound/destination-policy.ts'
import { words } from '../../support/words.ts'
import { outgoing, rawTarget, reached, sender, text } from './rig.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'metadata-by-name.test': ['169.254.169.254'],
  'mapped-by-name.test': ['::ffff:169.254.169.254'],
  'zone.test': ['fe80::1%eth0'],
  'good-then-bad.test': ['127.0.0.1', '169.254.169.254'],
  'bad-then-good.test': ['fd00:ec2::254', '127.0.0.1'],
  'six-to-four.test': ['2002:a9fe:a9fe::1'],
  'unspecified.test': ['0.0.0.0'],
  'multicast.test': ['239.1.2.3'],
  'nonsense.test': ['not an address'],
  'good.test': ['127.0.0.1'],
  'empty.test': [],
}

const lookup = async (name: string): Promise<readonly Resolved[]> => {
  const found = NAMES[name]
  if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** Refused URLs by the class of their address. */
const REFUSED = Object.entries({
  'link-local': words`http://169.254.169.254/latest/meta-data/ https://169.254.169.254/
    HTTP://169.254.169.254 http://169.254.169.254:80?x http://169.254.169.254. http://169.254.0.1:8080/
    http://169.254.255.255/ http://2852039166/ http://0xa9fea9fe/ http://0xA9.0xFE.0xA9.0xFE/
    http://0251.0376.0251.0376/ http://025177524776/ http://169.254.43518/ http://169.16689662/
    http://0xa9.254.0251.254/ http://%31%36%39.254.169.254/ http://１６９.２５４.１６９.２５４/ http://169。254。169。254/
    http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/ http://[0:0:0:0:0:ffff:a9fe:a9fe]/
    http://[::169.254.169.254]/ http://[64:ff9b::169.254.169.254]/ http://[64:ff9b:1::169.254.169.254]/
    http://[2002:a9fe:a9fe::]/ http://[2002:a9fe:a9fe:1:2:3:4:5]/ http://[fe80::1]/
    http://[FE80:0:0:0::1]:8080/ http://[febf::ffff]/ http://metadata-by-name.test/
    https://metadata-by-name.test:8443/ http://mapped-by-name.test/ http://zone.test/
    http://good-then-bad.test/ http://six-to-four.test/ http://nonsense.test/`,
  metadata: words`http://[fd00:ec2::254]/ http://[fd00:0ec2:0:0:0:0:0:0254]/ http://[fd20:ce::254]/
    http://100.100.100.200/ http://1684301000/ http://[::ffff:100.100.100.200]/ http://168.63.129.16/
    http://192.0.0.192/ http://metadata.google.internal/ http://METADATA.google.internal./
    http://bad-then-good.test/`,
  unspecified: words`http://0.0.0.0:8080/ http://0/ http://0.1.2.3/ http://[::]/ http://[::ffff:0.0.0.0]/
    http://unspecified.test/`,
  multicast: words`http://224.0.0.1/ http://239.255.255.250:1900/ http://[ff02::1]/
    http://[::ffff:224.0.0.1]/ http://multicast.test/`,
  broadcast: words`http://255.255.255.255/ http://4294967295/`,
}).flatMap(([cls, urls]) => urls.map((url) => [url, cls] as const))

const NO_URL = [
  ...[
    '',
    'http://good.test\\@169.254.169.254/',
    'http:\\\\169.254.169.254/',
    'http://good.test\\.evil/',
    'http://good\r\nHost: evil/',
    'http://good.test\t/',
    'http://good .test/',
    ' http://169.254.169.254/',
    'http ://127.0.0.1/',
    'http://0x1g\u0000/',
  ],
  ...words`example.test /path //host/path http:/host http:host http:// http:///path https://:443/
    file:///etc/passwd ftp://host/ gopher://127.0.0.1:70/_x data:text/plain,x javascript:alert(1)
    ws://127.0.0.1/ blob:http://host/x unix:///run/docker.sock dict://127.0.0.1:11211/
    http://user:secret@127.0.0.1/ http://user@127.0.0.1/ http://@127.0.0.1/ http://127.0.0.1@evil.test/
    http://good.test%0d%0a/ http://127.0.0.1:99999/ http://127.0.0.1:-1/ http://127.0.0.1:8o/ http://[::1/
    http://[::g]/ http://[fe80::1%25eth0]/ http://[fe80::1%eth0]/ http://256.1.1.1/ http://1.2.3.4.5/
    http://a..b/%00 http://<x>/`,
]

const LOOPBACK = words`127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0x7f.1 localhost LOCALHOST
  localhost. app.localhost good.test GOOD.test [::ffff:127.0.0.1] [::ffff:7f00:1] 127.0.0.1. %6cocalhost`

test.each(REFUSED)('destinations (reliability 20): %s is refused as %s', async (url, cls) => {
  const { error, answer, address } = await sender({ lookup }).send(outgoing(url))
  expect(error).toMatchObject({ code: 'destination-refused', params: { class: cls } })
  expect(error?.message).toMatch(/^Nothing is sent to .*\. Give the address of your own application\.$/)
  expect({ answer, address }).toEqual({ answer: null, address: null })
})

test.each(NO_URL)('destinations: %j is refused as no URL to send to', async (url) => {
  const { error } = await sender({ lookup }).send(outgoing(url))
  expect(['bad-url', 'name-not-found']).toContain(error?.code)
  if (!/1\.2\.3\.4\.5|a\.\.b/.test(url)) expect(error?.code).toBe('bad-url')
})

test.each(LOOPBACK)('destinations: http://%s may be sent to', async (host) => {
  const to = await rawTarget()
  const outcome = await sender({ lookup }).send(outgoing(`http://${host}:${to.port}/x/../y`))
  expect(outcome).toMatchObject({ error: null, answer: { status: 204 } })
  expect(outcome.address).toBe(
    host.startsWith('[') ? `[::ffff:127.0.0.1]:${to.port}` : `127.0.0.1:${to.port}`,
  )
  expect(to.requests[0]?.toString()).toMatch(/^POST \/x\/\.\.\/y HTTP/)
})

test('destinations: a redirect to a metadata address is shown, never followed', async () => {
  const found = 'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n'
  const { to, send } = await reached((socket) => socket.write(text(found)))
  const { answer, error } = await send()
  expect(error).toBeNull()
  expect(answer).toMatchObject({ status: 302, statusText: 'Found' })
  expect(answer?.headers).toContain('http://169.254.169.254/latest/')
  expect(to.requests).toHaveLength(1)
})

test('destinations: a name is looked up once for each connection, and the connection goes where the check looked', async () => {
  const to = await rawTarget((socket) => socket.end(text('HTTP/1.0 204 No Content\r\n\r\n')))
  const turns: readonly string[] = ['127.0.0.1', '169.254.169.254', '127.0.0.1']
  let turn = 0
  const sends = sender({ lookup: async () => [{ address: turns[turn++] ?? '', family: 4 }] })
  const request = outgoing(`http://rebinding.test:${to.port}/`)
  expect(await sends.send(request)).toMatchObject({ error: null })
  expect(await sends.send(request)).toMatchObject({ error: { code: 'destination-refused' } })
  expect(await sends.send(request)).toMatchObject({ error: null })
  expect(turn).toBe(3)
})

test('destinations: a name of this machine goes to it whatever a resolver would say, for it gets the secret header', async () => {
  const to = await rawTarget()
  const sends = sender({ lookup: async () => [{ address: '203.0.113.1', family: 4 }] })
  expect(await sends.send(outgoing(`http://app.localhost:${to.port}/`))).toMatchObject({
    error: null,
    address: `127.0.0.1:${to.port}`,
  })
})

test.each<[listens: string, url: string, refused: boolean]>([
  ['127.0.0.1', 'http://127.0.0.1:8025/', true],
  ['127.0.0.1', 'http://localhost:8025/', true],
  ['127.0.0.1', 'http://app.localhost:8025/hook', true],
  ['127.0.0.1', 'http://0x7f000001:8025/', true],
  ['127.0.0.1', 'http://[::ffff:127.0.0.1]:8025/', true],
  ['127.0.0.1', 'http://good.test:8025/', true],
  ['127.0.0.1', 'http://192.0.2.7:8025/', false],
  ['localhost', 'http://[::1]:8025/', true],
  ['::1', 'http://[0:0:0:0:0:0:0:1]:8025/', true],
  ['0.0.0.0', 'http://127.0.0.1:8025/', true],
  ['0.0.0.0', 'http://127.3.2.1:8025/', true],
  ['0.0.0.0', 'http://192.0.2.7:8025/', true],
  ['0.0.0.0', 'http://[::ffff:192.0.2.7]:8025/', true],
  ['::', 'http://127.0.0.1:8025/', true],
  ['::', 'http://[2001:db8::7]:8025/', true],
  ['::', 'http://[2001:db8::8]:8025/', false],
  ['192.0.2.7', 'http://192.0.2.7:8025/', true],
  ['192.0.2.7', 'http://192.0.2.7:8026/', false],
  ['::ffff:192.0.2.7', 'http://192.0.2.7:8025/', true],
])('our own receiver at %s, port 8025: %s is refused: %s', async (host, url, refused) => {
  const sends = sender({ lookup, interfaces: () => ['192.0.2.7', '2001:db8::7', 'fe80::1%eth0'] })
  sends.setOwnReceiver({ host, port: 8025 })
  const timeouts = { connectMs: 1, answerMs: 1, totalMs: 1 }
  const { error } = await sends.send(outgoing(url, { timeouts }))
  if (refused) expect(error).toMatchObject({ code: 'own-receiver', params: { port: 8025 } })
  else expect(error?.code).not.toBe('own-receiver')
})

test('our own receiver: also when it begins to listen where a connection is kept to', async () => {
  const { to, sends, send } = await reached()
  expect(await send()).toMatchObject({ error: null })
  sends.setOwnReceiver({ host: '127.0.0.1', port: to.port })
  expect(await send()).toMatchObject({ error: { code: 'own-receiver' } })
  sends.setOwnReceiver(null)
  expect(await send()).toMatchObject({ error: null })
})
