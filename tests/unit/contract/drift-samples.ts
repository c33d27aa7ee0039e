import type { Params } from '#contract/commands.ts'
import type { DriftCommandName } from '#contract/drift-commands.ts'

export const DRIFT_VALID: { readonly [C in DriftCommandName]: readonly [Params<C>, ...Params<C>[]] } = {
  'drift.list': [{}, { since: 1_790_000_000_000_000 }],
  'drift.profile': [{ kind: 'factura.created' }],
  'drift.events': [
    { from: 0, limit: 100 },
    { kind: 'dgii.aprobado', from: 100, limit: 1_000 },
  ],
  'drift.reset': [{}, { kind: 'factura.created' }],
}

export const DRIFT_INVALID: {
  readonly [C in DriftCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'drift.list': [['a date as text', { since: '2026-11-21' }]],
  'drift.profile': [
    ['no kind', {}],
    ['an empty kind', { kind: '' }],
  ],
  'drift.events': [['too many', { from: 0, limit: 1_001 }]],
  'drift.reset': [['several kinds', { kind: ['factura.created'] }]],
}
