import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import { curlOf } from '#core/copy/copy.ts'
import { opened } from '../../../support/listening-port.ts'

interface Came {
  readonly method: string
  readonly url: string
  readonly version: string
  readonly headers: readonly string[]
  readonly body: Buffer
}

let came: Came | undefined
const server = createServer({ insecureHTTPParser: false }, async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const { method = '', url = '', httpVersion, rawHeaders } = request
  came = { method, url, version: httpVersion, headers: rawHeaders, body: Buffer.concat(pieces) }
  response.end()
})
let base = ''
beforeAll(async () => {
  base = `http://127.0.0.1:${await opened(server)}`
})
afterAll(() => server.close())

const header = (name: string, value: string, masked = false): Header => ({ name, value, masked })
function delivery(change: Partial<DeliveryDetail>): DeliveryDetail {
  return {
    id: 7,
    method: 'POST',
    url: '/hooks',
    httpVersion: '1.1',
    headers: [header('Host', 'hooks.example.do'), header('Content-Type', 'application/json')],
    trailers: [],
    malformed: null,
    size: 0,
    ...change,
  } as DeliveryDetail
}

/** Runs a line as somebody would who pasted it into a terminal. */
async function run(line: string): Promise<Came> {
  came = undefined
  const done = promisify(execFile)('/bin/sh', ['-s'], { timeout: 30_000 })
  done.child.stdin?.end(`${line}\n`)
  await done
  if (!came) throw new Error('nothing came')
  return came
}

function own(flat: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < flat.length; i += 2)
    if (!/^(?:host|content-length|connection)$/i.test(flat[i] ?? ''))
      kept.push(flat[i] ?? '', flat[i + 1] ?? '')
  return kept
}
const flat = (headers: readonly Header[]) => headers.flatMap(({ name, value }) => [name, value])

const JSON_TYPE = header('Content-Type', 'application/json')
const CASES: readonly (readonly [string, Partial<DeliveryDetail>, Uint8Array])[] = [
  ['an event', {}, Buffer.from('{"Event":"factura.created","data":{"Name":"Peña & Hijos"}}')],
  ['quotes, dollars and line ends', {}, Buffer.from(`{"a":"it's $HOME \`ls\` \\n %s !"}\r\n\n`)],
  ['a body that begins with @', {}, Buffer.from('@/etc/hostname')],
  ['no body', { method: 'PUT' }, Buffer.alloc(0)],
  ['GET with a body', { method: 'GET' }, Buffer.from('{"Event":"x"}')],
  ['bytes that are no text', {}, Buffer.from([0x1f, 0x8b, 0, 255, 10, 13, 39, 0])],
  ['a byte order mark', {}, Buffer.from('\ufeff{}')],
  ['a long text', {}, Buffer.from(`{"a":"${"ñ'".repeat(90_000)}"}`)],
  [
    'a query with everything in it',
    { url: `/a/../b//c?x=[1-3]&y={a,b}&z='"$(id)\`;|<>\\^~%00+` },
    Buffer.from('{}'),
  ],
  ['a target of another form', { url: 'http://other.example/x?y' }, Buffer.from('{}')],
  [
    'headers of the same name, in other cases, empty, and beyond ASCII',
    {
      headers: [
        JSON_TYPE,
        header('X-TWICE', '1'),
        header('x-twice', "it's $2"),
        header('X-Empty', ''),
        header('X-Utf8', Buffer.from('Peña').toString('latin1')),
        header('X-Latin', 'caf\u00e9 %s \\ "q" \u0080'),
        header('User-Agent', 'invoicing-service/1'),
        header('Accept', '*/*'),
      ],
    },
    Buffer.from('{}'),
  ],
  ['no content type at all', { headers: [header('X-A', 'b')] }, Buffer.from('plain')],
]

describe('a delivery copied as a command', () => {
  it.each(CASES)('sends %s again: method, target, headers, bytes', async (_, change, body) => {
    const detail = delivery({ ...change, size: body.byteLength })
    const sent = await run(curlOf({ detail, body }, base))
    expect(sent.method).toBe(detail.method)
    expect(sent.url).toBe(detail.url)
    expect(own(sent.headers)).toEqual(own(flat(detail.headers)))
    expect(sent.body.equals(body)).toBe(true)
  })

  it('asks for the head as a head', async () => {
    const detail = delivery({ method: 'HEAD', headers: [] })
    expect((await run(curlOf({ detail, body: new Uint8Array() }, base))).method).toBe('HEAD')
  })

  it('never holds a masked secret, and says where it goes', () => {
    const detail = delivery({ headers: [JSON_TYPE, header('X-Hook-Secret', '24 characters', true)] })
    const line = curlOf({ detail, body: new Uint8Array() }, base)
    expect(line).toContain('YOUR-SECRET')
    expect(line).toMatch(/^# A secret is masked/)
    expect(line).not.toContain('24 characters')
  })

  it('goes to the host that the delivery names when no other is given', () =>
    expect(curlOf({ detail: delivery({}), body: new Uint8Array() }, null)).toContain(
      "--url 'http://hooks.example.do/hooks'",
    ))

  it.each([
    ['what was not HTTP', delivery({ malformed: 'unparseable' }), new Uint8Array()],
    ['a tunnel', delivery({ malformed: 'connect' }), new Uint8Array()],
    ['a body that is too long', delivery({ size: 25_000_000 }), null],
  ])('says of %s why there is no command', (_, detail, body) =>
    expect(curlOf({ detail, body }, base)).toMatch(/^# Delivery 7.*\.$/),
  )

  it('says of a body that is no text that it stands in base64', () =>
    expect(curlOf({ detail: delivery({}), body: Uint8Array.of(0, 255) }, base)).toContain('base64 -d'))
})
