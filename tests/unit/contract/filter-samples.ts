import type { Params } from '#contract/commands.ts'
import type { FilterCommandName } from '#contract/filter-commands.ts'

export const FILTER_VALID: {
  readonly [C in FilterCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'filters.save': [
    { name: 'Facturas inválidas', filter: 'kind:factura.* verdict:invalid' },
    { name: 'a', filter: 'b', previousName: 'c' },
  ],
  'filters.remove': [{ name: 'Facturas inválidas' }],
  'filter.counts': [{ field: 'kind', filter: 'is:late' }],
}

export const FILTER_INVALID: {
  readonly [C in FilterCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'filters.save': [
    ['a name that could be an option', { name: '--x', filter: 'a' }],
    ['no filter', { name: 'x', filter: '' }],
  ],
  'filter.counts': [['a field that is not counted', { field: 'doc', filter: '' }]],
}
