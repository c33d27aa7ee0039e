import { expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { driftHandlers } from '#core/engine/deliveries.ts'
import type { Deliveries } from '#core/ports.ts'

it('a reset without a kind is of all', async () => {
  const reset: (readonly string[])[] = []
  const deliveries = { driftReset: async (kinds: readonly string[]) => void reset.push(kinds) }
  const handlers = driftHandlers(deliveries as unknown as Deliveries)
  expect(await handlers['drift.reset']({})).toEqual({ kinds: 28 })
  expect(await handlers['drift.reset']({ kind: 'dgii.aprobado' })).toEqual({ kinds: 1 })
  expect(reset).toEqual([KINDS.map(({ kind }) => kind), ['dgii.aprobado']])
})
