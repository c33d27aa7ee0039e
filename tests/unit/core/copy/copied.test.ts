import { describe, expect, it } from 'vitest'
import type { Params } from '#contract/commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { copyDeliveries, jsonOf } from '#core/copy/copy.ts'
import type { Deliveries } from '#core/ports.ts'

const detail = (id: number, size = 2): DeliveryDetail =>
  ({
    id,
    size,
    receivedAt: 1_795_000_000_123_456,
    method: 'POST',
    url: '/',
    httpVersion: '1.1',
    malformed: null,
    headers: [{ name: 'X-Secret', value: 's3cret', masked: false }],
    trailers: [],
  }) as unknown as DeliveryDetail

const store = (size: number, body: string) =>
  ({
    get: async (id: number) => (id === 404 ? undefined : detail(id, size)),
    body: async () => ({ bytesBase64: btoa(body), total: body.length, problem: null }),
  }) as unknown as Deliveries
const mask = (one: DeliveryDetail): DeliveryDetail => ({
  ...one,
  headers: one.headers.map(({ name }) => ({ name, value: '6 characters', masked: true })),
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
    expect(JSON.parse(jsonOf({ detail: detail(1), body: Uint8Array.of(255, 0) })).bodyBase64).toBe('/wA='))
})
