import { registerHooks } from 'node:module'
import { workerData } from 'node:worker_threads'
import { analyse as whole } from '#core/checks/analyse.ts'

/** This module once more, as the one that gives the analysis. */
const ANALYSE = '?analyse'

/** Takes memory of V8's heap without end for a body with the word "poison", and judges others as they are. */
export const analyse: typeof whole = (judged, see, values) => {
  const hoard: number[][] = []
  if ('bytes' in judged.body && Buffer.from(judged.body.bytes).includes('poison'))
    for (;;) hoard.push(Array.from({ length: 10_000 }, Math.random))
  return whole(judged, see, values)
}

// The analyst's own thread, with the analysis above in the place of the product's.
if (workerData === 'greedy' && !import.meta.url.endsWith(ANALYSE)) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '#core/checks/analyse.ts' && context.parentURL?.endsWith('/analyst/worker.ts')
        ? next(import.meta.url + ANALYSE, context)
        : next(specifier, context),
  })
  await import('../../src/storage/analyst/worker.ts')
}
