import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Params } from '#contract/commands.ts'
import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import { copyDeliveries, curlOf, jsonOf } from '#core/copy/copy.ts'
import type { Deliveries } from '#core/ports.ts'
import { hookReceiver, type Received } from '../../../support/hook-receiver.ts'

const BASE = 'http://127.0.0.1:4400'

const header = (name: string, value: string, masked = false): Header => ({ name, value, masked })
function delivery(change: Partial<DeliveryDetail> = {}): DeliveryDetail {
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

/** Runs a delivery's copied command line in a shell. @returns the received request */
async function run(detail: DeliveryDetail, body: Uint8Array): Promise<Received> {
  const hook = await hookReceiver()
  const done = promisify(execFile)('/bin/sh', ['-s'], { timeout: 30_000 })
  done.child.stdin?.end(`${curlOf({ detail, body }, `http://127.0.0.1:${hook.port}`)}\n`)
  await done
  const [came] = hook.received
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
    const sent = await run(detail, body)
    expect([sent.method, sent.url]).toEqual([detail.method, detail.url])
    expect([own(sent.headers), sent.body.equals(body)]).toEqual([own(flat(detail.headers)), true])
  })

  it('asks for the head as a head', async () => {
    const detail = delivery({ method: 'HEAD', headers: [] })
    expect((await run(detail, new Uint8Array())).method).toBe('HEAD')
  })

  it('never holds a masked secret, and says where it goes', () => {
    const detail = delivery({ headers: [JSON_TYPE, header('X-Hook-Secret', '24 characters', true)] })
    const line = curlOf({ detail, body: new Uint8Array() }, BASE)
    expect(line).toContain('YOUR-SECRET')
    expect(line).toMatch(/^# A secret is masked/)
    expect(line).not.toContain('24 characters')
  })

  it('goes to the host that the delivery names when no other is given', () =>
    expect(curlOf({ detail: delivery(), body: new Uint8Array() }, null)).toContain(
      "--url 'http://hooks.example.do/hooks'",
    ))

  it.each([
    ['what was not HTTP', delivery({ malformed: 'unparseable' }), new Uint8Array()],
    ['a tunnel', delivery({ malformed: 'connect' }), new Uint8Array()],
    ['a body that is too long', delivery({ size: 25_000_000 }), null],
  ])('says of %s why there is no command', (_, detail, body) =>
    expect(curlOf({ detail, body }, BASE)).toMatch(/^# Delivery 7.*\.$/),
  )

  it('says of a body that is no text that it stands in base64', () =>
    expect(curlOf({ detail: delivery(), body: Uint8Array.of(0, 255) }, BASE)).toContain('base64 -d'))
})

const secret = (id: number, size = 2): DeliveryDetail =>
  delivery({ id, size, receivedAt: 1_795_000_000_123_456, headers: [header('X-Secret', 's3cret')] })

const store = (size: number, body: string) =>
  ({
    get: async (id: number) => (id === 404 ? undefined : secret(id, size)),
    body: async () => ({ bytesBase64: btoa(body), total: body.length, problem: null }),
  }) as unknown as Deliveries
const mask = (one: DeliveryDetail): DeliveryDetail => ({
  ...one,
  headers: one.headers.map(({ name }) => header(name, '6 characters', true)),
})

const copying = (deliveries: Deliveries) => (params: Params<'deliveries.copy'>) =>
  copyDeliveries(deliveries, deliveries, mask, params)

describe('deliveries copied', () => {
  it('stand one in a line, in the order asked for, without what is gone', async () => {
    const { texts, taken } = await copying(store(2, '{}'))({ ids: [9, 404, 3], as: 'json' })
    expect([taken, texts.map((text) => JSON.parse(text).id)]).toEqual([3, [9, 3]])
    expect(texts.join('')).not.toContain('\n')
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      body: '{}',
      receivedAt: '2026-11-18T11:06:40.123Z',
      headers: [['X-Secret', '<masked: 6 characters>']],
    })
  })

  it('show secrets only when that is asked for', async () => {
    const copy = copying(store(2, '{}'))
    for (const as of ['json', 'curl'] as const) {
      expect((await copy({ ids: [1], as })).texts.join()).not.toContain('s3cret')
      expect((await copy({ ids: [1], as, reveal: true })).texts.join()).toContain('s3cret')
    }
  })

  it('come in answers of a bounded length; a body that is too long is left out, and said to be', async () => {
    const copy = copying(store(900_000, 'x'.repeat(900_000)))
    const { texts, taken, tooLong } = await copy({ ids: [1, 2, 3, 4, 5], as: 'json' })
    expect([taken, tooLong]).toEqual([3, 0])
    expect(texts).toHaveLength(3)
    const long = await copying(store(2_000_000, ''))({ ids: [1], as: 'json' })
    expect(long.tooLong).toBe(1)
    expect(JSON.parse(long.texts[0] ?? '')).toMatchObject({
      body: null,
      bodyLeftOut: '2000000 bytes are too many for a copy',
    })
  })

  it('a body that is no text stands in base64', () =>
    expect(JSON.parse(jsonOf({ detail: secret(1), body: Uint8Array.of(255, 0) })).bodyBase64).toBe('/wA='))
})
