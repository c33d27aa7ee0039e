import type { Params } from '#contract/commands.ts'
import type { TimelineCommandName } from '#contract/timeline-commands.ts'

const day = { from: 1_794_960_000_000, to: 1_795_046_400_000 }

export const TIMELINE_VALID: {
  readonly [C in TimelineCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'timeline.get': [
    { ...day, bucketMs: 60_000, by: 'verdict', filter: '' },
    { ...day, bucketMs: 86_400_000, by: 'group', filter: 'kind:factura.*' },
  ],
}

export const TIMELINE_INVALID: {
  readonly [C in TimelineCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'timeline.get': [
    ['more bars than can be drawn', { ...day, bucketMs: 1_000, by: 'verdict', filter: '' }],
    ['an end before the beginning', { from: 2, to: 1, bucketMs: 1_000, by: 'verdict', filter: '' }],
    ['another stacking', { ...day, bucketMs: 60_000, by: 'endpoint', filter: '' }],
  ],
}
