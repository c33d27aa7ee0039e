import type { Params } from '#contract/commands.ts'
import type { CopyCommandName } from '#contract/copy-commands.ts'

export const COPY_VALID: { readonly [C in CopyCommandName]: readonly [Params<C>, ...Params<C>[]] } = {
  'deliveries.rows': [{ ids: [1] }],
  'deliveries.copy': [
    { ids: [3, 1, 2], as: 'json' },
    { ids: [1], as: 'curl', base: 'http://127.0.0.1:4400', reveal: true },
  ],
}

export const COPY_INVALID: {
  readonly [C in CopyCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'deliveries.rows': [['none', { ids: [] }]],
  'deliveries.copy': [
    ['another form', { ids: [1], as: 'xml' }],
    ['more than 1,000', { ids: Array.from({ length: 1_001 }, (_, i) => i + 1), as: 'json' }],
    ['an address with a path', { ids: [1], as: 'curl', base: 'http://127.0.0.1/x' }],
    ['an address that would be more than one word', { ids: [1], as: 'curl', base: "http://a'; rm -rf /" }],
  ],
}
