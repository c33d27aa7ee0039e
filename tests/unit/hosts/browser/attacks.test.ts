import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND_NAMES } from '#contract/commands.ts'
import { PROBE_PATHS } from '#hosts/browser/probes.ts'
import { createBrowserHost, PUSHES, routes, staticFiles } from '#hosts/browser/server.ts'
import { Sessions } from '#hosts/browser/sessions.ts'
import { openLink } from '../../../support/browser-session.ts'
import { SELECTION } from '../../../support/depth.ts'
import { EngineDouble } from '../../../support/engine-double.ts'
import { rawRequest, type TextAnswer } from '../../../support/raw-client.ts'
import { sharedFolder } from '../../../support/temp-folder.ts'
import { windowFolder } from '../../../support/window-folder.ts'
import { words } from '../../../support/words.ts'

// Row 17 of the reliability targets: Host × Origin × Sec-Fetch-* × token × cookie × header × method × encoded path × WebSocket, on every
// route of the router, under the local and under a public name. PORT, KEY and TOKEN stand for the host's port, a session's key and a
// link's unused token.

const engine = new EngineDouble({
  'app.info': async () => ({ version: '1', dataDir: 'd', capabilities: {} as never }),
  'status.ready': async () => ({ ready: true, reason: null, message: null }),
  'metrics.get': async () => ({ text: '' }),
})
const folder = windowFolder(sharedFolder())
const NAME = 'acuse.example'
const PUBLIC = `https://${NAME}`
const host = createBrowserHost({ engine, rendererDir: folder, port: 0, publicOrigins: [PUBLIC] })
let port = 0
let key = ''
let token = ''
const freshToken = () => host.link().replace(/^.*#token=/, '')

beforeAll(async () => {
  port = (await host.start()).port
  key = (await openLink(host.link().replace(PUBLIC, `http://127.0.0.1:${port}`))).key
  token = freshToken()
})
afterAll(() => host.close())

interface Route {
  readonly method: string
  readonly path: string
  /** Credentials in a request of our own page; open routes need none and return no data. */
  readonly shows: readonly string[]
  readonly headers: readonly string[]
  readonly body?: string
}
const AGREED = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
const SOCKET = ['Upgrade: websocket', 'Connection: Upgrade', ...AGREED]
const JSON_BODY = { headers: ['Content-Type: application/json', 'Content-Length: 2'], body: '{}' }

const ROUTES: readonly Route[] = [
  ...routes(engine, new Sessions(), staticFiles(folder)).stack.flatMap(({ route }) =>
    (route?.stack ?? [])
      .filter((layer, i, all) => all.findIndex(({ method }) => method === layer.method) === i)
      .flatMap(({ method }) =>
        expanded(route?.path ?? '').map((path) => routeOf(method.toUpperCase(), path)),
      ),
  ),
  { method: 'GET', path: PUSHES.path, shows: ['Sec-WebSocket-Protocol: acuse, KEY'], headers: SOCKET },
]
function expanded(path: string): readonly string[] {
  return path.includes(':command') ? COMMAND_NAMES.map((name) => path.replace(':command', name)) : [path]
}
function routeOf(method: string, path: string): Route {
  if (method === 'GET') return { method, path, shows: [], headers: [] }
  return { method, path, shows: [path === '/api/session' ? 'X-Acuse: TOKEN' : 'X-Acuse: KEY'], ...JSON_BODY }
}

type Lines = readonly string[]
interface Sent {
  readonly hosts?: Lines
  readonly shows?: Lines
  readonly more?: Lines
  readonly method?: string
  readonly path?: string
}
const fill = (text: string) =>
  text.replaceAll('PORT', String(port)).replaceAll('KEY', key).replaceAll('TOKEN', token)

function send(route: Route, sent: Sent): Promise<TextAnswer> {
  const { hosts = ['127.0.0.1:PORT'], shows = route.shows, more = [] } = sent
  const first = `${sent.method ?? route.method} ${sent.path ?? route.path} HTTP/1.1`
  const named = hosts.map((value) => `Host: ${value}`)
  const last = route.headers === SOCKET ? SOCKET : [...route.headers, 'Connection: close']
  return rawRequest(port, [first, ...named, ...shows, ...more, ...last].map(fill), route.body)
}

const BAD_HOSTS: readonly Lines[] = [
  [],
  [''],
  ['127.0.0.1:PORT, evil.example'],
  ...['evil.example', '127.0.0.1:PORT'].map((second) => ['127.0.0.1:PORT', second]),
  ['evil.example', '127.0.0.1:PORT'],
  ...words`evil.example evil.example:PORT 127.0.0.1.evil.example:PORT localhost.evil.example localhost. localhost.:PORT
    127.0.0.1.:PORT 127.0.0.2:PORT 127.1:PORT 2130706433:PORT 0x7f000001:PORT 0.0.0.0:PORT 192.168.1.5:PORT [::]:PORT
    [::ffff:127.0.0.1]:PORT [0:0:0:0:0:0:0:1]:PORT ::1 user@127.0.0.1:PORT 127.0.0.1:PORT@evil.example acuse.example:PORT
    acuse.example:443 acuse.example. www.acuse.example acuse.example.evil.example`.map((host) => [host]),
]
const BAD_ORIGINS: readonly Lines[] = [
  [''],
  ['http://127.0.0.1:PORT', 'http://evil.example'],
  [PUBLIC],
  ...words`http://evil.example https://evil.example null http://93.184.216.34 http://127.0.0.1 http://127.0.0.1:1
    https://127.0.0.1:PORT http://localhost:PORT http://127.0.0.1:PORT.evil.example http://127.0.0.1:PORT/ file://
    chrome-extension://abcdefghijklmnop`.map((origin) => [origin]),
]
const UNDER_NAME = [...BAD_ORIGINS, ['http://127.0.0.1:PORT'], [`http://${NAME}`], [`${PUBLIC}:443`]].filter(
  (origins) => origins[0] !== PUBLIC,
)
/** Only a proxy of ours could be trusted with them, and any client can send them too. */
const FORWARDED: Lines = [
  ...words`X-Forwarded-Host:127.0.0.1:PORT X-Forwarded-Host:acuse.example X-Original-Host:acuse.example`,
  'Forwarded: for=127.0.0.1;host=acuse.example;proto=https',
  ...words`X-Forwarded-For:127.0.0.1 X-Forwarded-Proto:https X-Real-IP:127.0.0.1`,
]
const FRAMES = ['iframe', 'frame', 'embed', 'object', 'fencedframe', 'empty', '']
const PARTS = ['script', 'image', 'style', 'worker', 'document', 'empty']
/** Sec-Fetch-Site, -Mode and -Dest of all requests that another page can cause, except a new tab. */
const BAD_FETCHES: readonly (readonly [site: string, mode?: string, dest?: string])[] = [
  ...['cross-site', 'same-site'].flatMap((site) => [
    [site] as const,
    [site, 'navigate'] as const,
    ...FRAMES.map((dest) => [site, 'navigate', dest] as const),
    ...PARTS.map((dest) => [site, 'no-cors', dest] as const),
    [site, 'cors', 'empty'] as const,
    [site, 'same-origin', 'serviceworker'] as const,
    [site, 'websocket', 'websocket'] as const,
  ]),
  ['none'],
  ['none', 'no-cors', 'document'],
  ['none', 'navigate', 'iframe'],
  [''],
  ['SAME-ORIGIN'],
  ['elsewhere', 'navigate', 'document'],
]
const fetchLines = ([site, mode, dest]: readonly [string, string?, string?]): Lines => [
  `Sec-Fetch-Site: ${site}`,
  ...(mode === undefined ? [] : [`Sec-Fetch-Mode: ${mode}`]),
  ...(dest === undefined ? [] : [`Sec-Fetch-Dest: ${dest}`]),
]
const WRONG = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const COOKIES = ['Cookie: acuse_PORT=KEY', 'Cookie: acuse_PORT=TOKEN; acuse.session=KEY']
const BAD_SHOWS: readonly Lines[] = [
  [],
  ...COOKIES.map((cookie) => [cookie]),
  ['Authorization: Bearer KEY'],
  ...['', '1', WRONG, 'KEYx', 'xKEY', 'KEY, KEY', 'TOKENx', 'acuse, KEY'].map((value) => [
    `X-Acuse: ${value}`,
  ]),
  ['X-Acuse: KEY', 'X-Acuse: KEY'],
  ['X-Acuse: TOKEN', `X-Acuse: ${WRONG}`],
  ...['', 'KEY', 'acuse', `acuse, ${WRONG}`, 'KEY, acuse', 'acuse, KEY, x', 'acuse, TOKEN', 'other, KEY'].map(
    (value) => [`Sec-WebSocket-Protocol: ${value}`],
  ),
]
const BAD_TARGETS = words`http://127.0.0.1:PORT/ http://evil.example/api/app.info //evil.example/ * /\\evil.example
  /api/app.info#x /\u00e9`
/** Other spellings of a path, each of which has passed the check of some server and still reached its router. */
const rewritten = (path: string): readonly string[] => [
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  path.replace('/api', '/%2561pi'),
  path.toUpperCase(),
  `/.${path}`,
  `/x/..${path}`,
  `/x/%2e%2e${path}`,
  `/${encodeURIComponent(path.slice(1))}`,
  `${path}/`,
  `${path};x`,
  `${path}%00`,
  `${path}?key=KEY&token=TOKEN`,
]
/** Methods to try; an open route answers the first two. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

/** All requests that the host must refuse; all but the last three kinds have the right key. */
function attacksOn(route: Route): readonly Sent[] {
  const open = route.shows.length === 0
  const strange = [[], ...COOKIES.map((cookie) => [cookie])]
  return [
    ...BAD_HOSTS.map((hosts) => ({ hosts })),
    ...BAD_ORIGINS.map((origins) => ({ more: origins.map((origin) => `Origin: ${origin}`) })),
    ...BAD_FETCHES.map((fetched) => ({ more: fetchLines(fetched) })),
    { more: ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'] },
    ...['cross-site', 'same-site', 'none']
      .map((site) => fetchLines([site, 'navigate', 'document']))
      .map((more) => ({ method: 'POST', more })),
    ...FORWARDED.map((line) => ({ hosts: ['evil.example'], more: [line] })),
    ...UNDER_NAME.map((origins) => ({ hosts: [NAME], more: origins.map((origin) => `Origin: ${origin}`) })),
    ...BAD_FETCHES.map((fetched) => ({ hosts: [NAME], more: fetchLines(fetched) })),
    ...(PROBE_PATHS.includes(route.path) ? [{ hosts: [NAME] }] : []),
    ...BAD_TARGETS.map((path) => ({ path })),
    ...(open ? [] : BAD_SHOWS.filter((shows) => !fits(route, shows))).flatMap((shows) => [
      { shows },
      { shows, hosts: [NAME], more: FORWARDED },
    ]),
    ...strange.flatMap((shows) => [
      ...(open ? [] : rewritten(route.path).map((path) => ({ shows, path }))),
      ...METHODS.slice(open ? 2 : 0).map((method) => ({ shows, method })),
    ]),
  ]
}
const fits = (route: Route, shows: Lines): boolean => JSON.stringify(shows) === JSON.stringify(route.shows)

/** Routes to try; the short selection tries some, since one guard checks all. */
const TRIED = ROUTES.filter(
  ({ path }, n) => !SELECTION || n % 8 === 0 || !path.startsWith('/api/') || !path.includes('.'),
)

test('attacks on the window (reliability, row 17): the routes are those of the page, the probes, the session, the commands and the pushes', () => {
  const paths = ROUTES.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['/', '/readyz', '/api/session', '/api/app.info', '/api/pushes']),
  )
  expect(paths.length).toBe(COMMAND_NAMES.length + staticFiles(folder).size + PROBE_PATHS.length + 2)
  expect(ROUTES.flatMap(attacksOn).length).toBeGreaterThanOrEqual(120)
})

test.each(TRIED)('attacks on the window: $method $path refuses them all', async (route) => {
  for (const attack of attacksOn(route)) {
    const before = engine.carriedOut.length
    const answer = await send(route, attack)
    // The parser answers 400, the guard 403, a missing key 401, an unknown method 405.
    expect([400, 401, 403, 405], JSON.stringify(attack)).toContain(answer.status)
    const got = [...answer.header('access-control-allow-origin'), ...answer.header('set-cookie')]
    const told = /the window|"key"|"version"/.test(answer.body)
    const done = engine.carriedOut.length - before + engine.listeners
    expect({ attack, got, told, done }).toEqual({ attack, got: [], told: false, done: 0 })
  }
})

test('attacks on the window: and used up no link', async () => {
  const link = `http://127.0.0.1:${port}/#token=${token}`
  expect((await openLink(link)).answer.status).toBe(200)
})

/** Requests of our own page, with and without the headers that older browsers omit. */
const OWN: readonly Lines[] = [
  [],
  ['Origin: http://127.0.0.1:PORT'],
  ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'],
  ['Origin: http://127.0.0.1:PORT', 'Sec-Fetch-Site: same-origin'],
  ['Cookie: other=1; acuse_PORT=stray'],
  ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: http'],
]

test.each(TRIED)('legitimate requests: $method $path is reached from our own page', async (route) => {
  const named = PROBE_PATHS.includes(route.path) ? [] : [[NAME], ['Acuse.Example']]
  for (const hosts of [['127.0.0.1:PORT'], ['127.0.0.1'], ['127.0.0.1:9000'], ...named])
    for (const more of OWN) {
      token = freshToken()
      const before = engine.carriedOut.length
      const origin = named.includes(hosts) ? PUBLIC : `http://${hosts[0]}`
      const own = more.map((line) => line.replace(/http:\/\/127.*/, origin))
      const answer = await send(route, { hosts, more: own })
      const command = route.path.replace('/api/', '')
      if (COMMAND_NAMES.some((name) => name === command))
        // Any answer of the engine will do: the double knows few commands, and most need parameters.
        expect([200, 400, 501]).toContain(answer.status)
      else expect([route.path, answer.status]).toEqual([route.path, route.headers === SOCKET ? 101 : 200])
      if (command === 'app.info') expect(engine.carriedOut.length).toBe(before + 1)
    }
})

test.each([
  ['typed or pasted', 'none'],
  ['of a link on another site', 'cross-site'],
  ['of the file that opens the window, and of a page on another port', 'same-site'],
])('legitimate requests: an address %s shows the page in a tab of its own', async (_, site) => {
  for (const path of ['/', '/?x=1', '/favicon.svg']) {
    const more = fetchLines([site, 'navigate', 'document'])
    expect([path, (await send(routeOf('GET', '/'), { path, more })).status]).toEqual([path, 200])
  }
})
