import { expect, test } from 'vitest'
import { addressProblem, networkUrls, tunnelCommand } from '#core/connect/reach.ts'

const at = (url: string, host = '127.0.0.1') => ({ state: 'listening' as const, url, host, port: 4410 })
const plain = at('http://127.0.0.1:4410/')
const secure = at('https://127.0.0.1:4410/')
const lan = [
  { address: '192.168.1.20', family: 4 as const, name: 'eth0' },
  { address: '2001:db8::20', family: 6 as const, name: 'eth0' },
]

test.each([
  [
    'cloudflared',
    'tunnel --url http://127.0.0.1:4410',
    'tunnel --url https://127.0.0.1:4410 --no-tls-verify',
  ],
  ['ngrok', 'http http://127.0.0.1:4410', 'http https://127.0.0.1:4410'],
  ['tailscale', 'funnel http://127.0.0.1:4410', 'funnel https+insecure://127.0.0.1:4410'],
  ['ssh', '-N -R 8080:127.0.0.1:4410 you@your-server', '-N -R 8080:127.0.0.1:4410 you@your-server'],
] as const)('%s leads to the real port by the real scheme', (tunnel, overHttp, overHttps) => {
  expect(tunnelCommand(tunnel, plain)).toBe(`${tunnel} ${overHttp}`)
  expect(tunnelCommand(tunnel, secure)).toBe(`${tunnel} ${overHttps}`)
})

test('addresses of the network are offered only where the receiver listens on them', () => {
  expect(networkUrls(plain, lan)).toEqual([])
  expect(networkUrls(at('http://127.0.0.1:4410/', '0.0.0.0'), lan)).toEqual(['http://192.168.1.20:4410/'])
  expect(networkUrls(at('https://[::1]:4410/', '::'), lan)).toEqual([
    'https://192.168.1.20:4410/',
    'https://[2001:db8::20]:4410/',
  ])
  expect(networkUrls(at('http://192.168.1.20:4410/', '192.168.1.20'), lan)).toEqual([
    'http://192.168.1.20:4410/',
  ])
})

test.each([
  ['https://hooks.example/in', null],
  ['http://hooks.example/in', 'plain'],
  ['http://192.168.1.20:4400/', 'plain'],
  ['http://localhost:4400/', 'loopback'],
  ['https://[::1]/', 'loopback'],
  ['hooks.example', 'invalid'],
  ['ftp://hooks.example/', 'invalid'],
  ['https://me:secret@hooks.example/', 'credentials'],
])('the address %s: %s (readings, Delivery: HTTPS should always be used)', (url, problem) =>
  expect(addressProblem(url)).toBe(problem),
)
