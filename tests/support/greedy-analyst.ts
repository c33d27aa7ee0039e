import { registerHooks } from 'node:module'
import { workerData } from 'node:worker_threads'
import { analyse as whole } from '#core/checks/analyse.ts'

/** Query that loads this module a second time, as the provider of `analyse`. */
const ANALYSE = '?analyse'

/** Allocates memory of V8's heap without end for a body with the word "poison"; analyses others normally. */
export const analyse: typeof whole = (judged, see, values) => {
  const hoard: number[][] = []
  if ('bytes' in judged.body && Buffer.from(judged.body.bytes).includes('poison'))
    for (;;) hoard.push(Array.from({ length: 10_000 }, Math.random))
  return whole(judged, see, values)
}

// Runs the real analyst thread with `analyse` from above instead of the product's.
if (workerData === 'greedy' && !import.meta.url.endsWith(ANALYSE)) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '#core/checks/analyse.ts' && context.parentURL?.endsWith('/analyst/worker.ts')
        ? next(import.meta.url + ANALYSE, context)
        : next(specifier, context),
  })
  await import('../../src/storage/analyst/worker.ts')
}
