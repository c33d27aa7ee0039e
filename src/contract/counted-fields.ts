/** Fields whose values can be counted. */
export const COUNTED_FIELDS = [
  'kind',
  'group',
  'verdict',
  'endpoint',
  'method',
  'answer',
  'status',
  'tag',
  'is',
  'has',
] as const
export type CountedField = (typeof COUNTED_FIELDS)[number]
