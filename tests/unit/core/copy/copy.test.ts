import { describe, expect, it } from 'vitest'
import type { Params } from '#contract/commands.ts'
import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import { copyDeliveries, curlOf, jsonOf } from '#core/copy/copy.ts'
import type { Deliveries } from '#core/ports.ts'

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

const JSON_TYPE = header('Content-Type', 'application/json')

describe('a delivery copied as a command', () => {
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
