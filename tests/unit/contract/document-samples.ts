import type { Params } from '#contract/commands.ts'
import type { DocumentCommandName } from '#contract/document-commands.ts'

const sort = { by: 'last', descending: true } as const

export const DOCUMENT_VALID: {
  readonly [C in DocumentCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'documents.page': [
    { query: '', sort, from: 0, limit: 1 },
    {
      query: 'kind:factura.* ferretería',
      gaps: ['no-created', 'after-void'],
      sort: { by: 'total', descending: false },
      from: 199_000,
      limit: 1_000,
    },
  ],
  'documents.get': [{ key: '5f0c1d2e-3b4a-4c5d-8e6f-000000000001' }],
}

export const DOCUMENT_INVALID: {
  readonly [C in DocumentCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'documents.page': [
    ['a column that there is not', { query: '', sort: { by: 'size', descending: true }, from: 0, limit: 1 }],
    ['a gap that there is not', { query: '', gaps: ['lost'], sort, from: 0, limit: 1 }],
    ['no gap', { query: '', gaps: [], sort, from: 0, limit: 1 }],
  ],
  'documents.get': [['no key', { key: '' }]],
}
