import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { foreignService } from '../support/foreign-service.ts'
import { worlds, wrongIn } from './foreign-worlds.ts'
import { connect, house, reconciling } from './reconcile-house.ts'

/** Number of worlds. ACUSE_WORLDS=1000 runs the full proof, ACUSE_SEED selects another seed, ACUSE_WORLD=144 a single world. */
const WORLDS = Number(process.env.ACUSE_WORLDS ?? 40)
const SEED = Number(process.env.ACUSE_SEED ?? 27)
const ONLY = process.env.ACUSE_WORLD

test(
  `${WORLDS} random services, losses and shapes: the truth, or incomplete, or cannot tell (seed ${SEED})`,
  async () => {
    const home = await house()
    const service = await foreignService([])
    onTestFinished(service.close)
    await connect(home, service.url)
    const books = { ...home, ...reconciling(home, '2026-10-01', '2026-10-31'), service }
    const types = ['--document-types', '31=factura,32=factura,33=nota_debito,34=nota_credito,43=gasto']
    await home.acuse(['connections', 'set', 'erp', ...types])
    const wrong: unknown[] = []
    for (const [nth, world] of fc.sample(worlds, { numRuns: WORLDS, seed: SEED }).entries()) {
      if (ONLY !== undefined && nth !== Number(ONLY)) continue
      const found = await wrongIn(books, world, nth)
      if (found.length > 0) wrong.push({ nth, found: found.slice(0, 5), world })
    }
    expect(wrong).toEqual([])
  },
  60_000 + WORLDS * 10_000,
)
