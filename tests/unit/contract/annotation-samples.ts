import type { AnnotationCommandName } from '#contract/annotation-commands.ts'
import type { Params } from '#contract/commands.ts'

export const ANNOTATION_VALID: {
  readonly [C in AnnotationCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'deliveries.annotate': [
    { ids: [], note: null },
    { ids: [1, 2], note: 'x'.repeat(10_000), addTags: ['urgente', 'ñandú/2', '#7'], removeTags: ['a'] },
    { ids: [3], note: '' },
  ],
  'tags.list': [{}],
}

export const ANNOTATION_INVALID: {
  readonly [C in AnnotationCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'deliveries.annotate': [
    ['an id that none has', { ids: [0], note: 'x' }],
    ['a note that is too long', { ids: [1], note: 'x'.repeat(10_001) }],
    ['a note with a NUL', { ids: [1], note: 'a\0b' }],
    ['a tag that is too long', { ids: [1], addTags: ['x'.repeat(41)] }],
    ['a blank tag', { ids: [1], addTags: [' '] }],
    ['a tag of two words', { ids: [1], addTags: ['two words'] }],
    ['a tag that ends a filter value', { ids: [1], addTags: ['a,b'] }],
    ['a tag in quotes', { ids: [1], addTags: ['"a"'] }],
    ['a tag that is a wildcard', { ids: [1], addTags: ['a*'] }],
    ['a tag nobody can see', { ids: [1], addTags: ['\u200b'] }],
    ['more tags than a delivery can have', { ids: [1], addTags: [...'abcdefghijklmnopqrstu'] }],
  ],
}
