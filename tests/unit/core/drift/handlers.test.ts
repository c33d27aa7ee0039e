import { expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { deliveryHandlers } from '#core/engine/deliveries.ts'
import type { Deliveries, Store } from '#core/ports.ts'

it('a reset without a kind is of all', async () => {
  const reset: (readonly string[])[] = []
  const deliveries = { driftReset: async (kinds: readonly string[]) => void reset.push(kinds) }
  const handlers = deliveryHandlers({} as Store, deliveries as unknown as Deliveries, (detail) => detail)
  expect(await handlers['drift.reset']({})).toEqual({ kinds: 28 })
  expect(await handlers['drift.reset']({ kind: 'dgii.aprobado' })).toEqual({ kinds: 1 })
  expect(reset).toEqual([KINDS.map(({ kind }) => kind), ['dgii.aprobado']])
})
