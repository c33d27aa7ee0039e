import type { Params } from '#contract/commands.ts'
import type { TrashCommandName } from '#contract/trash-commands.ts'

export const TRASH_VALID: {
  readonly [C in TrashCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'deliveries.trash': [{ ids: [1, 2] }, { filter: 'is:late', upTo: 900 }, { filter: '' }],
  'deliveries.restore': [{ batch: 1 }],
  'trash.list': [{}],
  'trash.empty': [{}, { batch: 3 }],
}

export const TRASH_INVALID: {
  readonly [C in TrashCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'deliveries.trash': [
    ['nothing: everything must be said', {}],
    ['both', { ids: [1], filter: '' }],
    ['no id', { ids: [] }],
    ['an end of named ids', { ids: [1], upTo: 9 }],
  ],
  'deliveries.restore': [['no batch', {}]],
  'trash.empty': [['no batch of that number', { batch: 0 }]],
}
