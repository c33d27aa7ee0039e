import type { AnnotationCommandName } from '#contract/annotation-commands.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { Deliveries } from './ports.ts'

type AnnotationHandlers = {
  readonly [C in AnnotationCommandName]: (params: Params<C>) => Promise<Result<C>>
}

/** What people say of deliveries. */
export function annotationHandlers(deliveries: Deliveries): AnnotationHandlers {
  return {
    'deliveries.annotate': async (change) => ({ changed: await deliveries.annotate(change) }),
    'tags.list': async () => ({ tags: await deliveries.tags() }),
  }
}
