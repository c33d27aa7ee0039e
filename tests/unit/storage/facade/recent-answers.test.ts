import { describe, expect, it } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import { aDelivery, openTestStore } from '../../../support/store.ts'

describe('how long an answer took', () => {
  it('shows in every reading at once, long before the writer has a pause to write it down', async () => {
    await using opened = await openTestStore()
    const { capture, deliveries } = opened.store
    const { id } = await capture.append(aDelivery())
    if (id === null) throw new Error('the delivery was spilled')
    capture.answered(id, 1_234)
    expect((await deliveries.rows([id]))[0]?.tookUs).toBe(1_234)
    expect((await deliveries.page(EVERYTHING, { from: 'newest', limit: 10 })).rows[0]?.tookUs).toBe(1_234)
    expect((await deliveries.scan(EVERYTHING, { after: null, limit: 10 }))[0]?.tookUs).toBe(1_234)
    expect((await deliveries.get(id))?.tookUs).toBe(1_234)
  })
})
