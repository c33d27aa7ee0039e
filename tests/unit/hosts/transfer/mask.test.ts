import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT_FORMATS } from '#contract/transfer.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import { Scrubber } from '#interop/mask/scrub.ts'
import { type Assembled, assembled } from '../../../support/assembled.ts'
import { anEvent } from '../../../support/events.ts'
import { textOfSession } from '../../../support/session-file.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { exported } from '../../../support/transfers.ts'

/** Secrets and personal values that no export may write by default. */
const canaries: string[] = []
const plant = (value: string): string => {
  canaries.push(value)
  return value
}
let count = 0
const secret = () => plant(`cnry${String(count++).padStart(3, '0')}qzvk`)
const name = () => plant(`Canario ${String.fromCharCode(65 + (count % 26))}uintana ${count++} Peña`)
const email = () => plant(`canario.${count++}@quintana-cnry.com.do`)
const phone = () => plant(`809-555-${String(7000 + count++)}`)
const taxId = () => plant(`9${String(30_000_000 + count++)}7`)
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

type Sent = readonly [
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
]

function requests(): readonly Sent[] {
  const json = { 'Content-Type': 'application/json' }
  const party = () => ({
    CustomerName: name(),
    CustomerTaxId: taxId(),
    CustomerPhone: phone(),
    CustomerEmail: email(),
    CustomerAddress: plant(`Calle Canaria ${count++}, Naco`),
  })
  const supplier = {
    SupplierName: name(),
    SupplierTaxId: taxId(),
    SupplierPhone: phone(),
    SupplierEmail: email(),
  }
  const repeated = name()
  const deep = { a: [{ b: { c: [{ apiKey: secret(), Phone: phone(), customerName: name() }] } }] }
  return [
    [
      `/?token=${secret()}&email=${encodeURIComponent(email())}&q=1`,
      json,
      JSON.stringify(anEvent('factura.created', { data: party() })),
    ],
    ['/', json, JSON.stringify(anEvent('nota_credito.created', { data: { ...party(), ...supplier } }))],
    [
      '/',
      json,
      JSON.stringify(
        anEvent('customer.created', { data: { LegalName: name(), TaxIdentification: taxId() } }),
      ),
    ],
    [
      `/a?redirect=%2Fb%3Faccess_token%3D${secret()}`,
      {
        Authorization: `Bearer ${secret()}`,
        Cookie: `session=${secret()}; theme=dark`,
        'X-Api-Key': secret(),
        'X-Hub-Signature': secret(),
        'Proxy-Authorization': `Basic ${base64(`user:${secret()}`)}`,
        'X-Customer-Email': email(),
        'X-Data': base64(JSON.stringify({ password: secret(), LegalName: name() })),
        'X-Note': `call ${phone()} or write to ${email()}`,
      },
      JSON.stringify({
        ...deep,
        list: [secretOf('password'), secretOf('client_secret'), secretOf('refreshToken')],
      }),
    ],
    [
      '/',
      json,
      JSON.stringify({
        text: JSON.stringify({ token: secret(), Email: email() }),
        b: base64(JSON.stringify({ secret: secret() })),
      }),
    ],
    [
      '/',
      json,
      JSON.stringify({ z: base64(gzipSync(JSON.stringify({ apiKey: secret(), CustomerName: name() }))) }),
    ],
    [
      '/',
      { ...json, 'Content-Encoding': 'gzip' },
      gzipSync(JSON.stringify(anEvent('factura.created', { data: party() }))),
    ],
    [
      '/',
      { ...json, 'Content-Encoding': 'gzip, gzip' },
      gzipSync(gzipSync(JSON.stringify({ pin: secret() }))),
    ],
    [
      '/',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      `password=${secret()}&nombre=${encodeURIComponent(name())}`,
    ],
    [
      '/',
      { 'Content-Type': 'application/xml' },
      `<a><CustomerName>${name()}</CustomerName><Token>${secret()}</Token></a>`,
    ],
    ['/', json, `{"Event":"factura.created","data":{"CustomerName":"${name()}","CustomerTaxId":"${taxId()}"`],
    // The value has another name elsewhere, and the check that fails quotes it.
    [
      '/',
      { 'X-Label': Buffer.from(repeated).toString('latin1') },
      JSON.stringify({
        Event: 'customer.created',
        data: { LegalName: repeated, Alias: repeated, Sum: `for ${repeated}!` },
      }),
    ],
    [
      '/',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret()}\r\n--x\r\nContent-Disposition: form-data; name="correo"\r\n\r\n${email()}\r\n--x--\r\n`,
    ],
    ['/', { 'Content-Type': 'text/plain' }, `Nombre: ${name()}\nclave = ${secret()}\n`],
    [
      '/',
      { 'Content-Type': 'text/plain' },
      `refused, token: ${secret()} (Authorization: Bearer ${secret()})`,
    ],
    [
      `/?hmac=${secret()}`,
      { 'X-Hub-Signature-256': `sha256=${secret()}`, 'X-Shopify-Hmac-Sha256': secret() },
      JSON.stringify({
        customers: [{ name: name() }],
        Supplier: { CommercialName: name() },
        error: `password: ${secret()}`,
      }),
    ],
    [
      '/',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      `payload=${encodeURIComponent(JSON.stringify({ LegalName: name(), a: { token: secret() } }))}`,
    ],
    ...(['utf16le', 'utf16be'] as const).map((encoding): Sent => {
      const text = Buffer.from(`\ufeff${JSON.stringify({ LegalName: [name()], token: secret() })}`, 'utf16le')
      return ['/', json, Buffer.from(encoding === 'utf16le' ? text : text.swap16())]
    }),
    ['/', json, `\ufeff${JSON.stringify({ LegalName: [name()] })}`],
    ['/', json, Buffer.concat([Buffer.from([0, 255]), Buffer.from(`token=${secret()}`), Buffer.from([254])])],
  ]
}
const secretOf = (field: string) => ({ [field]: secret() })

/** The text, and what its base64 holds. */
function everythingIn(output: string): string {
  const inner = [...output.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([text]) => {
    const bytes = Buffer.from(text, 'base64')
    try {
      return gunzipSync(bytes).toString()
    } catch {
      return bytes.toString()
    }
  })
  // Not decodeURIComponent: a session file has bytes that only look like an encoding.
  const percent = output.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
  )
  // UTF-16 too: in base64, as raw bytes, and as JSON writes them.
  return [output, percent, ...inner].flatMap((text) => [text, text.replaceAll(/\0|\\u0000/g, '')]).join('\n')
}

let host: Assembled
beforeAll(async () => {
  host = await assembled()
  for (const [path, headers, body] of requests())
    await fetch(new URL(path, host.receiverUrl), { method: 'POST', headers, body })
  const { engine } = host.host
  await engine.call('deliveries.settled', { timeoutMs: 20_000 })
  await engine.call('deliveries.annotate', { ids: [1], note: `Spoke with ${email()}, ${phone()}` })
})
afterAll(() => host?.close())

describe('an export', () => {
  it('has enough to hide', () => expect(canaries.length).toBeGreaterThanOrEqual(60))

  it.each(EXPORT_FORMATS)('as %s holds none of the canaries', async (format) => {
    const file = await exported(host.host.engine, { format, bodies: true })
    const text = everythingIn(format === 'session' ? textOfSession(tempFolder(), file) : file.toString())
    expect(canaries.filter((one) => text.includes(one))).toEqual([])
    expect(text).toContain('masked-')
  })

  it('shows credentials and personal data to a user who asks for them', async () => {
    const text = async (more: object) =>
      everythingIn((await exported(host.host.engine, { format: 'ndjson', bodies: true, ...more })).toString())
    const [plain, credentials, personal] = [
      await text({ reveal: true, unmask: true }),
      await text({ reveal: true }),
      await text({ unmask: true }),
    ]
    expect(
      canaries.filter((one) => !plain.includes(one) && !everythingIn(gunzipped(plain)).includes(one)).length,
    ).toBeLessThan(8)
    expect(credentials).toContain('cnry')
    expect(credentials).toMatch(/Bearer (?!masked)/)
    expect(credentials).not.toMatch(/Canario|quintana-cnry/)
    expect(personal).not.toMatch(/cnry\d{3}qzvk/)
    expect(personal).toContain('Canario')
  })

  it('gives equal values equal tokens within a file, and others in the next file', async () => {
    const tokens = async () => {
      const text = (await exported(host.host.engine, { format: 'ndjson', bodies: true })).toString()
      const [line = ''] = text.split('\n').filter((one) => one.includes('Alias'))
      return [...JSON.parse(line).body.matchAll(/masked-[\da-f]{12}/g)].map(([token]) => token)
    }
    const [first, second] = [await tokens(), await tokens()]
    expect(new Set(first).size).toBe(1)
    expect(first.length).toBe(3)
    expect(second[0]).not.toBe(first[0])
  })

  it('leaves all other bytes of a body as they are', async () => {
    const text = (await exported(host.host.engine, { format: 'ndjson', bodies: true })).toString()
    const [first] = text.split('\n').map((line) => line && JSON.parse(line))
    const sent = JSON.stringify(anEvent('factura.created'))
    const rest = (body: string) =>
      body.replaceAll(/"Customer(?:Name|TaxId|Phone|Email|Address)":"[^"]*"/g, '')
    expect(rest(first.body)).toBe(rest(sent))
    expect(first.headers).toContainEqual(
      ['content-length', String(Buffer.byteLength(first.body))].map((one) =>
        expect.stringMatching(new RegExp(`^${one}$`, 'i')),
      ),
    )
  })

  it('says before what it would mask', async () => {
    const { looked, masked } = await host.host.engine.call('export.preview', {
      source: { type: 'filter', filter: '' },
    })
    expect(looked).toBe(21)
    expect(masked.map(({ kind, place }) => `${kind} ${place}`)).toEqual(
      expect.arrayContaining([
        'personal field CustomerName',
        'credential header Authorization',
        'credential parameter',
      ]),
    )
    const all = { source: { type: 'filter', filter: '' }, reveal: true, unmask: true } as const
    expect((await host.host.engine.call('export.preview', all)).masked).toEqual([])
  })
})

describe('a text of megabytes, or one made to be slow', { tags: 'long' }, () => {
  const long = 'x'.repeat(10 * 1024 * 1024)
  const hidden = JSON.stringify({ password: 'hunter-two', long })
  it.each([
    ['one word', long, long],
    ['a field that is cut', `{"password":"${long.slice(0, 900_000)}`, /^\{"password":"masked-\w{12}$/],
    ['fields', `"token":"${long}" `, /^"token":"masked-/],
    ['a header', `bearer ${long}`, /^bearer masked-/],
    ['a JWT', `eyJ${long}.${long}.x`, /^eyJ/],
    ['parts', `name="a"${'\nx'.repeat(5_000_000)}`, /^name="a"/],
    ['base64', Buffer.from(hidden).toString('base64'), /^eyJwYXNzd29yZCI6Im1hc2tlZC/],
    ['an address without end', `@${long.slice(0, 300_000)}`, /^@x/],
    ['an address', `${'a '.repeat(100_000)}ana@example.com.do`, /a masked-\w{12}$/],
  ])('is masked: %s', (_, text, expected) => {
    const scrubber = new Scrubber(MASKED_NAMES, ['credential', 'personal'], () => {})
    scrubber.learn(text)
    const masked = scrubber.body(text)
    expect(typeof expected === 'string' ? masked === expected : expected.test(masked)).toBe(true)
  })
})

const gunzipped = (text: string): string =>
  [...text.matchAll(/H4sI[A-Za-z0-9+/]+={0,2}/g)]
    .map(([one]) => {
      try {
        return gunzipSync(Buffer.from(one, 'base64')).toString()
      } catch {
        return ''
      }
    })
    .join('\n')
