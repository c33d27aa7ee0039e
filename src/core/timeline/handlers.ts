import type { Params, Result } from '#contract/commands.ts'
import type { TimelineCommandName } from '#contract/timeline-commands.ts'
import { readFilter } from '../filter/read.ts'
import type { Store } from '../ports.ts'

type TimelineHandlers = {
  readonly [C in TimelineCommandName]: (params: Params<C>) => Promise<Result<C>>
}

/** What arrived and when it could, put together: counts from what analysis keeps, coverage from the record of the receiver. */
export function timelineHandlers({ deliveries, coverage }: Store): TimelineHandlers {
  return {
    'timeline.get': async ({ filter, ...params }) => {
      const counted = await deliveries.timeline(readFilter(filter), params)
      return { ...counted, coverage: await coverage.list(counted.from, counted.to) }
    },
  }
}
