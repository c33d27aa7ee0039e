import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowserHost } from '#hosts/browser/server.ts'
import { EngineDouble } from '../../../support/engine-double.ts'
import { rawRequest } from '../../../support/raw-client.ts'
import { windowFolder } from '../../../support/window-folder.ts'

// Target row 17 of the reliability page: Host × Origin × Sec-Fetch-Site × session × method × path, every attack refused, every
// legitimate combination served. PORT stands for the host's own port, which is known only while the tests run.

const INFO = { version: '1', dataDir: 'd', capabilities: {} as never }
const engine = new EngineDouble({ 'app.info': async () => INFO })
const folder = windowFolder()
const host = createBrowserHost({ engine, rendererDir: folder, port: 0 })
let port = 0
let session = ''

beforeAll(async () => {
  port = (await host.start()).port
  const opened = await rawRequest(port, [
    `GET ${host.link().replace(/^http:..[^/]+/, '')} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
  ])
  session = opened.header('set-cookie')[0]?.split(';')[0] ?? ''
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

interface Kind {
  readonly name: string
  readonly line: string
  readonly headers: readonly string[]
  readonly body?: string
  readonly served: number
}
const COMMAND = ['Content-Type: application/json', 'X-Acuse: 1', 'Content-Length: 2']
const SOCKET = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const PAGE: Kind = { name: 'the page', line: 'GET / HTTP/1.1', headers: [], served: 200 }
const KINDS: readonly Kind[] = [
  PAGE,
  { name: 'a script', line: 'GET /assets/index-Ab12Cd34.js HTTP/1.1', headers: [], served: 200 },
  { name: 'a command', line: 'POST /api/app.info HTTP/1.1', headers: COMMAND, body: '{}', served: 200 },
  { name: 'the pushes', line: 'GET /api/pushes HTTP/1.1', headers: SOCKET, served: 101 },
]
/** Not served to anybody, but refused before routing all the same. */
const ODD_KINDS: readonly Kind[] = [
  {
    name: 'an encoded command',
    line: 'POST /%61pi/app.info HTTP/1.1',
    headers: COMMAND,
    body: '{}',
    served: 404,
  },
  { name: 'encoded pushes', line: 'GET /%61pi/pushes HTTP/1.1', headers: SOCKET, served: 404 },
  { name: 'a preflight', line: 'OPTIONS /api/app.info HTTP/1.1', headers: [], served: 405 },
  { name: 'a deletion', line: 'DELETE / HTTP/1.1', headers: [], served: 405 },
]

interface Case {
  readonly kind: Kind
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly sites: readonly string[]
  readonly cookies: readonly string[]
  readonly target?: string
}

function send({ kind, hosts, origins, sites, cookies, target }: Case) {
  const fill = (text: string) => text.replaceAll('PORT', String(port)).replaceAll('SESSION', session)
  const line = target === undefined ? kind.line : kind.line.replace(/ \S+ /, ` ${target} `)
  const lines = [
    line,
    ...hosts.map((value) => `Host: ${value}`),
    ...origins.map((value) => `Origin: ${value}`),
    ...sites.map((value) => `Sec-Fetch-Site: ${value}`),
    ...cookies.map((value) => `Cookie: ${value}`),
    ...kind.headers,
    ...(kind.headers === SOCKET ? [] : ['Connection: close']),
  ]
  return rawRequest(port, lines.map(fill), kind.body)
}

const GOOD = { hosts: ['127.0.0.1:PORT'], origins: [], sites: [], cookies: ['SESSION'] }
const BAD_HOSTS: readonly (readonly string[])[] = [
  [],
  [''],
  ['evil.example'],
  ['evil.example:PORT'],
  ['127.0.0.1.evil.example:PORT'],
  ['localhost.evil.example'],
  ['localhost.'],
  ['localhost.:PORT'],
  ['127.0.0.1.:PORT'],
  ['127.1:PORT'],
  ['2130706433:PORT'],
  ['0x7f000001:PORT'],
  ['0.0.0.0:PORT'],
  ['192.168.1.5:PORT'],
  ['[::]:PORT'],
  ['[::ffff:127.0.0.1]:PORT'],
  ['[0:0:0:0:0:0:0:1]:PORT'],
  ['::1'],
  ['user@127.0.0.1:PORT'],
  ['127.0.0.1:PORT, evil.example'],
  ['127.0.0.1:PORT@evil.example'],
  ['127.0.0.1:PORT', 'evil.example'],
  ['evil.example', '127.0.0.1:PORT'],
  ['127.0.0.1:PORT', '127.0.0.1:PORT'],
]
const BAD_ORIGINS: readonly (readonly string[])[] = [
  ['http://evil.example'],
  ['https://evil.example'],
  ['null'],
  [''],
  ['http://93.184.216.34'],
  ['http://127.0.0.1'],
  ['http://127.0.0.1:1'],
  ['https://127.0.0.1:PORT'],
  ['http://localhost:PORT'],
  ['http://127.0.0.1:PORT.evil.example'],
  ['http://127.0.0.1:PORT/'],
  ['file://'],
  ['chrome-extension://abcdefghijklmnop'],
  ['http://127.0.0.1:PORT', 'http://evil.example'],
]
const BAD_SITES: readonly (readonly string[])[] = [
  ['cross-site'],
  ['same-site'],
  ['none'],
  [''],
  ['SAME-ORIGIN'],
  ['same-origin', 'cross-site'],
]
const BAD_COOKIES: readonly (readonly string[])[] = [
  [],
  ['acuse_PORT='],
  ['acuse_PORT=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['acuse_1=AAAA; other=1'],
  ['xSESSION'],
  ['SESSIONx'],
]
const BAD_TARGETS = [
  'http://127.0.0.1:PORT/',
  'http://evil.example/api/app.info',
  '//evil.example/',
  '*',
  '/\\evil.example',
  '/api/app.info#x',
  '/\u00e9',
]

const attacks: (Case & { readonly what: string })[] = [...KINDS, ...ODD_KINDS].flatMap((kind) => [
  ...BAD_HOSTS.map((hosts) => ({ ...GOOD, kind, hosts, what: `Host ${JSON.stringify(hosts)}` })),
  ...BAD_ORIGINS.map((origins) => ({ ...GOOD, kind, origins, what: `Origin ${JSON.stringify(origins)}` })),
  ...BAD_SITES.map((sites) => ({ ...GOOD, kind, sites, what: `Sec-Fetch-Site ${JSON.stringify(sites)}` })),
  ...BAD_COOKIES.map((cookies) => ({ ...GOOD, kind, cookies, what: `Cookie ${JSON.stringify(cookies)}` })),
  ...BAD_TARGETS.map((target) => ({ ...GOOD, kind, target, what: `target ${JSON.stringify(target)}` })),
])

const GOOD_HOSTS = [
  '127.0.0.1:PORT',
  'localhost:PORT',
  '[::1]:PORT',
  'LocalHost:PORT',
  '127.0.0.1',
  'localhost:9000',
]
const legitimate = KINDS.flatMap((kind) =>
  GOOD_HOSTS.flatMap((name) =>
    [[], [`http://${name}`]].flatMap((origins) =>
      [[], ['same-origin']].map((sites) => ({ ...GOOD, kind, hosts: [name], origins, sites })),
    ),
  ),
)

describe('attacks on the window (reliability, row 17)', () => {
  test('the table is wide enough', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(120)
  })

  test.each(attacks)('$kind.name with $what is refused', async (attack) => {
    const before = engine.carriedOut.length
    const answer = await send(attack)
    // A parser that gave up answers 400; a guard 403, a missing session 401, an unknown path 404, a method without meaning 405.
    expect([400, 401, 403, 404, 405]).toContain(answer.status)
    expect(answer.header('access-control-allow-origin')).toEqual([])
    expect(answer.header('set-cookie')).toEqual([])
    expect(answer.body).not.toContain('the window')
    expect(engine.carriedOut.length).toBe(before)
    expect(engine.listeners).toBe(0)
  })
})

describe('a start link in the wrong hands', () => {
  test.each([
    ['under a foreign Host', ['Host: evil.example']],
    ['by another site', ['Host: 127.0.0.1:PORT', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']],
    [
      'by another site on this machine',
      ['Host: 127.0.0.1:PORT', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: navigate'],
    ],
    ['by a script', ['Host: 127.0.0.1:PORT', 'Origin: http://evil.example']],
    ['in a frame', ['Host: 127.0.0.1:PORT', 'Sec-Fetch-Site: none', 'Sec-Fetch-Mode: no-cors']],
  ])('opens nothing %s, and is not used up', async (_, headers) => {
    const target = host.link().replace(/^http:..[^/]+/, '')
    const open = (lines: readonly string[]) =>
      rawRequest(port, [
        `GET ${target} HTTP/1.1`,
        ...lines.map((line) => line.replace('PORT', String(port))),
        'Connection: close',
      ])
    const refused = await open(headers)
    expect([refused.status, refused.header('set-cookie')]).toEqual([403, []])
    expect((await open(['Host: 127.0.0.1:PORT'])).status).toBe(303)
  })
})

describe('legitimate requests', () => {
  test.each(legitimate)('$kind.name under $hosts from $origins, $sites is served', async (request) => {
    const answer = await send(request)
    expect(answer.status).toBe(request.kind.served)
  })

  test.each(ODD_KINDS)('$name by a session gets the answer for what does not exist', async (kind) => {
    const answer = await send({ ...GOOD, kind })
    expect(answer.status).toBe(kind.served)
  })

  test.each(GOOD_HOSTS)('an address typed into the address bar (%s) is served', async (name) => {
    const kind = { ...PAGE, headers: ['Sec-Fetch-Mode: navigate'] }
    const answer = await send({ ...GOOD, kind, hosts: [name], sites: ['none'] })
    expect(answer.status).toBe(200)
  })

  test('a cookie of the same name from another local site does not lock the window', async () => {
    const answer = await send({ ...GOOD, kind: PAGE, cookies: ['acuse_PORT=stray; SESSION'] })
    expect(answer.status).toBe(200)
  })
})
