import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { unpackTar } from 'modern-tar'
import { Collection, Item } from 'postman-collection'
import { describe, expect, it, test } from 'vitest'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { exactText } from '#core/copy/copy.ts'
import { ownHeaders } from '#interop/formats/format.ts'
import { csv, curl, curlConfig, ndjson, powershell, report } from '#interop/formats/formats.ts'
import { har } from '#interop/formats/har.ts'
import { raw } from '#interop/formats/raw.ts'
import { fixture, postman } from '#interop/formats/suites.ts'
import type { MaskedDelivery } from '#interop/records.ts'
import { exportedOf, newDelivery, written } from '../../support/arbitrary-delivery.ts'
import { runs } from '../../support/depth.ts'
import { hookReceiver, type Received } from '../../support/hook-receiver.ts'
import { aDelivery } from '../../support/store.ts'
import { sharedFolder } from '../../support/temp-folder.ts'

const run = promisify(execFile)
const AT = Date.UTC(2026, 10, 27, 9) * 1_000 + 123_456

const one = (
  change: Parameters<typeof aDelivery>[0] = {},
  more: Partial<DeliveryDetail> = {},
): MaskedDelivery => {
  const delivery = aDelivery({ receivedAt: AT, ...change })
  const body = 'upload' in delivery.body ? new Uint8Array() : delivery.body
  return exportedOf({ ...delivery, body, bodySize: body.length }, more)
}
const type = ['Content-Type', 'application/json']
/** Requests that writers spoil easily. */
const ODD: readonly (readonly [string, MaskedDelivery])[] = [
  ['an event', one({ headers: type, body: '{"Event":"factura.created","data":{"Name":"Peña & Hijos"}}' })],
  ['bytes that are no text', one({ headers: type, body: Uint8Array.from([31, 139, 0, 255, 10, 13, 39, 0]) })],
  [
    'quotes, dollars and line ends',
    one({ headers: type, body: `{"a":"it's $HOME \`ls\` \\n %s !"}\r\n'@ \n` }),
  ],
  ['no body', one({ method: 'PUT', headers: [], body: '' })],
  ['a query with signs', one({ url: `/a/../b?x=[1-3]&y={{a}},b&z='"$(id)\`;|<>^~%00+`, headers: type })],
  ['number signs', one({ url: '/a?b#c=d#e', headers: type })],
  [
    'headers of one name, empty, and beyond ASCII',
    one({ headers: [...type, 'X-A', '1', 'x-a', 'it\'s "2" \\', 'X-Empty', '', 'X-Latin', 'caf\u00e9'] }),
  ],
  ['a body that begins with @', one({ headers: type, body: '@/etc/hostname' })],
]
const CURL_ALONE: typeof ODD = [
  ['a long text behind a byte order mark', one({ body: `\ufeff{"a":"${"ñ'".repeat(90_000)}"}` })],
  ['GET with a body', one({ method: 'GET', body: '{"Event":"x"}' })],
  ['a head', one({ method: 'HEAD', headers: [], body: '' })],
  ['a target of another form', one({ url: 'http://other.example/x?y' })],
  ['what curl sends by itself', one({ headers: [...type, 'User-Agent', 'invoicing/1', 'Accept', '*/*'] })],
]

describe('HAR', () => {
  const require = createRequire(import.meta.url)
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
  const schemas: Readonly<Record<string, object>> = require('har-schema')
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  const valid = ajv.getSchema('har.json#')

  it('fits the schema of HAR 1.2, whatever arrived', () =>
    fc.assert(
      fc.asyncProperty(fc.array(newDelivery, { maxLength: 5 }), async (all) => {
        const bytes = await written(
          har,
          all.map((delivery) => exportedOf(delivery)),
        )
        expect(valid?.(JSON.parse(bytes.toString())), ajv.errorsText(valid?.errors)).toBe(true)
      }),
      { numRuns: runs(200) },
    ))

  it('has whole bodies, in base64 where they are no text', async () => {
    const { log } = JSON.parse(
      (
        await written(
          har,
          ODD.map(([, delivery]) => delivery),
        )
      ).toString(),
    )
    expect(log.version).toBe('1.2')
    const [event, binary] = log.entries.map(
      ({ request }: { request: { postData: unknown } }) => request.postData,
    )
    expect(event).toEqual({
      mimeType: 'application/json',
      text: Buffer.from(ODD[0]?.[1].body ?? []).toString(),
    })
    expect(binary).toMatchObject({ text: 'H4sA/woNJwA=', _encoding: 'base64' })
    expect(log.entries[0].startedDateTime).toBe('2026-11-27T09:00:00.123456Z')
  })
})

describe('a Postman collection', () => {
  // What Postman would replace or join again is kept apart by a word joiner.
  const plain = (text: string) => text.replaceAll('\u{2060}', '')

  it("is read by Postman's own library as the requests that arrived, whatever arrived", () =>
    fc.assert(
      fc.asyncProperty(fc.array(newDelivery, { maxLength: 5 }), async (all) => {
        const deliveries = [...all.map((delivery) => exportedOf(delivery)), ...ODD.map(([, one]) => one)]
        const made = JSON.parse((await written(postman, deliveries)).toString())
        expect(made.info.schema).toMatch(/v2\.1\.0\/collection\.json$/)
        expect(made.variable).toEqual([{ key: 'baseUrl', value: 'http://127.0.0.1:3000' }])
        for (const { request } of made.item)
          expect(JSON.stringify(request).replaceAll('{{baseUrl}}', '')).not.toContain('{{')
        const items: readonly unknown[] = new Collection(made).items.all()
        const read = items.flatMap((one) => (one instanceof Item ? one.request : []))
        expect(
          read.map(({ method, url, headers, body }) => [
            method,
            plain(url.toString()),
            headers
              .all()
              .map(({ key, value }: { readonly key: string; readonly value: string }) => [
                plain(key),
                plain(value),
              ]),
            plain(body?.raw ?? ''),
          ]),
        ).toEqual(
          deliveries.map(({ detail, body }) => [
            detail.method.toUpperCase(),
            `{{baseUrl}}${detail.url.replace(/^(?!\/)/, '/')}`,
            ownHeaders({ detail, body, decoded: body, bodyState: 'as-received' }).map(({ name, value }) => [
              name,
              value,
            ]),
            exactText(body) ?? Buffer.from(body).toString('base64'),
          ]),
        )
      }),
      { numRuns: runs(200) },
    ))
})

describe('a command that sends a delivery again', () => {
  const own = (flat: readonly string[]) =>
    Array.from({ length: flat.length / 2 }, (_, i) => [flat[i * 2], flat[i * 2 + 1]] as const).filter(
      ([name]) => !/^(?:host|content-length|connection)$/i.test(name ?? ''),
    )
  const same = (received: Received | undefined, { detail, body }: MaskedDelivery) => {
    expect(received?.body.equals(body)).toBe(true)
    expect([received?.method, received?.url]).toEqual([detail.method, detail.url])
    expect(own(received?.headers ?? [])).toEqual(
      detail.headers.filter(({ name }) => name !== 'Host').map(({ name, value }) => [name, value]),
    )
  }

  it.each([...ODD, ...CURL_ALONE])('curl: %s', async (_, delivery) => {
    const hook = await hookReceiver()
    const script = await written(curl, [delivery], { base: `http://127.0.0.1:${hook.port}` })
    const child = run('/bin/sh', ['-s'])
    child.child.stdin?.end(script)
    await child
    same(hook.received[0], delivery)
  })

  it.each(ODD)('PowerShell: the configuration of %s', async (_, delivery) => {
    const hook = await hookReceiver()
    const base = `http://127.0.0.1:${hook.port}`
    const script = (await written(powershell, [delivery], { base })).toString()
    const [, body = '', config = ''] =
      /^Send-Delivery -Body '(.*)' -Config @'\n([\s\S]*?)\n'@ /m.exec(script) ?? []
    expect(config).toBe(curlConfig(delivery, base))
    const folder = mkdtempSync(join(sharedFolder(), 'ps-'))
    writeFileSync(join(folder, 'acuse-body.bin'), Buffer.from(body, 'base64'))
    writeFileSync(join(folder, 'acuse.curl'), config, 'latin1')
    await run('curl', ['--silent', '--config', 'acuse.curl'], { cwd: folder })
    same(hook.received[0], delivery)
  })

  it('fixture: a test of node:test passes for a handler that accepts, and fails for one that refuses', async () => {
    const hook = await hookReceiver((request, response) => {
      response.statusCode = request.body.includes('refuse') ? 500 : 204
      response.end()
    })
    const file = join(mkdtempSync(join(sharedFolder(), 'fixture-')), 'x.test.mjs')
    const cases = [...ODD.map(([, delivery]) => delivery), one({ malformed: 'cut-off' })]
    const env = { PATH: process.env.PATH ?? '', HANDLER_URL: `http://127.0.0.1:${hook.port}` }
    const args = ['--test', '--test-reporter=spec', file]
    writeFileSync(file, await written(fixture, cases))
    const passed = await run(process.execPath, args, { env })
    expect(passed.stdout).toMatch(new RegExp(`pass ${ODD.length}\n`))
    for (const [at, [, { body, detail }]] of ODD.entries()) {
      expect(hook.received[at]?.body.equals(body)).toBe(true)
      expect(hook.received[at]?.url).toBe(detail.url)
    }
    writeFileSync(file, await written(fixture, [one({ body: '"refuse"' })]))
    await expect(run(process.execPath, args, { env })).rejects.toMatchObject({
      stdout: expect.stringContaining('the handler answered 500'),
    })
  })

  it('raw: each file of the archive is a request as it goes over the wire', async () => {
    const files = await unpackTar(
      await written(
        raw,
        ODD.map(([, delivery]) => delivery),
      ),
    )
    expect(files.length).toBe(ODD.length)
    expect(Buffer.from(files[0]?.data ?? []).toString()).toBe(
      `POST /hooks?x=1 HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 59\r\n\r\n{"Event":"factura.created","data":{"Name":"Peña & Hijos"}}`,
    )
    expect(files[0]?.header.pax?.mtime).toBe('1795770000.123456')
  })
})

describe('CSV', () => {
  const PREFIXES = [
    '=',
    '+',
    '-',
    '@',
    '|',
    '%',
    '\uff1d',
    '\uff0b',
    '\uff0d',
    '\uff20',
    '\t=',
    '\r=',
    ' =',
    "'=",
    '"=',
    '\u200b=',
    '\ufeff=',
  ]
  const PAYLOADS = ['cmd|"/c calc"!A1', 'HYPERLINK("http://x.test";"a")', '1+1', 'SUM(A1,A2)', '1;=2', '1,=2']
  const QUOTES = ['', '"', "'"]
  const cells = PREFIXES.flatMap((prefix) =>
    PAYLOADS.flatMap((payload) => QUOTES.map((quote) => `${quote}${prefix}${payload}${quote}`)),
  )

  it('writes no cell that a spreadsheet takes for a formula', async () => {
    expect(cells.length).toBeGreaterThanOrEqual(300)
    const deliveries = cells.map((text) =>
      one({ endpoint: text.slice(0, 60), url: text }, { event: text, tags: [text] }),
    )
    const columns = ['url', 'event', 'tags', 'endpoint']
    const text = (await written(csv, deliveries, { columns })).toString()
    for (const separator of [',', ';', '\t']) {
      const dangerous = splitCells(text.replace(/^\ufeff/, ''), separator).filter((cell) =>
        /^[\s"\u200b\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u.test(cell),
      )
      expect(dangerous).toEqual([])
    }
  })

  it('has the chosen columns in the chosen order, and amounts as numbers', async () => {
    const document = { number: 'E31', party: 'Peña, SRL', total: '-1250.50', currency: 'DOP' }
    const text = (
      await written(csv, [one({}, { document })], { columns: ['total', 'id', 'party'] })
    ).toString()
    expect(text).toBe('\ufefftotal,id,party\r\n-1250.50,7,"Peña, SRL"\r\n')
  })
})

/** Cells as a spreadsheet reads them with this separator. */
function splitCells(text: string, separator: string): string[] {
  const found: string[] = []
  let cell = ''
  let quoted = false
  for (const char of text) {
    if (char === '"') quoted = !quoted
    else if (!quoted && (char === separator || char === '\n')) {
      found.push(cell)
      cell = ''
    } else cell += char
  }
  return [...found, cell]
}

test('NDJSON has the members of "acuse events", and bodies when asked for', async () => {
  const [delivery] = [one({ body: '{"a":1}' })]
  const plain = JSON.parse((await written(ndjson, [delivery], { bodies: false })).toString())
  expect(Object.keys(plain).join(' ')).toBe(
    'id receivedAt endpoint method url kind group documentId statusId verdict answer size rejected marks tags note number party total currency',
  )
  const whole = JSON.parse((await written(ndjson, [delivery])).toString())
  expect(whole).toMatchObject({ ...plain, body: '{"a":1}', headers: expect.any(Array), remotePort: 50_000 })
})

test('a bug report names findings and rules, and content cannot become markup', async () => {
  const finding = {
    level: 'error',
    code: 'status-value',
    pointer: '/data/StatusId',
    params: { found: '<b>9</b>' },
    rule: 'Events',
    line: 1,
    column: 3,
  } as const
  const text = (
    await written(report, [
      one({ body: '```\n# no heading' }, { findingList: [finding], event: '[x](http://y.test)' }),
    ])
  ).toString()
  expect(text).toContain('Code status-value. Rule: Events.')
  expect(text).toContain('````json\n```\n# no heading\n````')
  expect(text).not.toMatch(/\[x\]\(http/)
  expect(text).not.toContain('<b>')
})
