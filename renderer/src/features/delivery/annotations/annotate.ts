import type { AnnotateParams } from '#contract/annotations.ts'
import type { Annotated } from '@/shared/live/annotating.ts'
import { api } from '@/shared/live/api.ts'
import { idsOf } from './ids-of.ts'

/** Changes notes and tags of all that are meant. @returns how many have something else now @throws RefusalError */
export async function annotate(about: Annotated, change: Omit<AnnotateParams, 'ids'>): Promise<number> {
  let sum = 0
  for await (const ids of idsOf(about))
    sum += (await api.call('deliveries.annotate', { ids, ...change })).changed
  return sum
}
