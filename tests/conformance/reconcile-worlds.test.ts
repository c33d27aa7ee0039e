import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreignHouse } from './foreign-house.ts'
import { worlds, wrongIn } from './foreign-worlds.ts'

/** `npm test` goes through a few; ACUSE_WORLDS=1000 is the full proof, ACUSE_SEED another one, ACUSE_WORLD=144 one world alone. */
const WORLDS = Number(process.env.ACUSE_WORLDS ?? 40)
const SEED = Number(process.env.ACUSE_SEED ?? 27)
const ONLY = process.env.ACUSE_WORLD

test(
  `${WORLDS} random services, losses and shapes: the truth, or incomplete, or cannot tell (seed ${SEED})`,
  async () => {
    const house = await foreignHouse([])
    const types = ['--document-types', '31=factura,32=factura,33=nota_debito,34=nota_credito,43=gasto']
    await house.acuse(['connections', 'set', 'erp', ...types])
    const wrong: unknown[] = []
    for (const [nth, world] of fc.sample(worlds, { numRuns: WORLDS, seed: SEED }).entries()) {
      if (ONLY !== undefined && nth !== Number(ONLY)) continue
      const found = await wrongIn(house, world, nth)
      if (found.length > 0) wrong.push({ nth, found: found.slice(0, 5), world })
    }
    expect(wrong).toEqual([])
  },
  60_000 + WORLDS * 10_000,
)
