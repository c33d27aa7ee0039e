import { expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { driftHandlers } from '#core/drift/handlers.ts'
import type { Deliveries } from '#core/ports.ts'

it('a kind that is none of the 28 is refused in a sentence, and a reset without one is of all', async () => {
  const reset: (readonly string[])[] = []
  const deliveries = { driftReset: async (kinds: readonly string[]) => void reset.push(kinds) }
  const handlers = driftHandlers(deliveries as unknown as Deliveries)
  for (const call of [
    () => handlers['drift.profile']({ kind: 'Factura.created' }),
    () => handlers['drift.events']({ kind: 'x', from: 0, limit: 1 }),
    () => handlers['drift.reset']({ kind: 'test.connection' }),
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'bad-params',
      message: expect.stringMatching(/is none of the 28 kinds.*for example factura\.created/),
      details: { path: 'kind' },
    })
  expect(reset).toEqual([])
  expect(await handlers['drift.reset']({})).toEqual({ kinds: 28 })
  expect(await handlers['drift.reset']({ kind: 'dgii.aprobado' })).toEqual({ kinds: 1 })
  expect(reset).toEqual([KINDS.map(({ kind }) => kind), ['dgii.aprobado']])
})
