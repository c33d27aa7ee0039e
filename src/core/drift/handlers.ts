import { KINDS } from '#catalog/kinds.ts'
import type { HandlersOf } from '#contract/commands.ts'
import type { Deliveries } from '../ports.ts'

/** What was ever observed of each kind. */
export function driftHandlers(deliveries: Deliveries): HandlersOf<`drift.${string}`> {
  return {
    'drift.list': async ({ since = 0 }) => ({ kinds: await deliveries.driftKinds(since) }),
    'drift.profile': async ({ kind }) => deliveries.driftProfile(kind),
    'drift.events': async (params) => deliveries.driftEvents(params),
    'drift.reset': async ({ kind }) => {
      const kinds = kind === undefined ? KINDS.map((spec) => spec.kind) : [kind]
      await deliveries.driftReset(kinds)
      return { kinds: kinds.length }
    },
  }
}
