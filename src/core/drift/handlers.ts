import { KINDS, type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { DriftCommandName } from '#contract/drift-commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Deliveries } from '../ports.ts'

type DriftHandlers = { readonly [C in DriftCommandName]: (params: Params<C>) => Promise<Result<C>> }

/** What was ever observed of each kind. */
export function driftHandlers(deliveries: Deliveries): DriftHandlers {
  return {
    'drift.list': async ({ since = 0 }) => ({ kinds: await deliveries.driftKinds(since) }),
    'drift.profile': async ({ kind }) => deliveries.driftProfile(known(kind)),
    'drift.events': async ({ kind, ...rest }) =>
      deliveries.driftEvents(kind === undefined ? rest : { ...rest, kind: known(kind) }),
    'drift.reset': async ({ kind }) => {
      const kinds = kind === undefined ? KINDS.map((spec) => spec.kind) : [known(kind)]
      await deliveries.driftReset(kinds)
      return { kinds: kinds.length }
    },
  }
}

/** @throws AcuseError `bad-params` */
function known(kind: string): Kind {
  const spec = kindSpec(kind)
  if (spec) return spec.kind
  throw new AcuseError(
    'bad-params',
    `kind: "${kind.slice(0, 80)}" is none of the 28 kinds; they are case-sensitive, for example factura.created.`,
    { path: 'kind' },
  )
}
