import type { CommandName, Params, Result } from '#contract/commands.ts'
import { list } from '@/shared/deliveries/list.ts'
import { type Answer, useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api, host } from '@/shared/live/api.ts'

/** Refresh interval while deliveries arrive. */
const RENEW_MS = 2_000
/** Delay before a new drift is shown; bursts are combined. */
const NEWS_MS = 150

type Question = Exclude<CommandName & `drift.${string}`, 'drift.reset'>

const news = (tell: () => void) =>
  host().onPush(({ push }) => {
    if (push === 'drift.changed' || push === 'store.reset') tell()
  })

/** A drift query's result, refreshed while deliveries arrive. */
export function useDrift<C extends Question>(command: C, params: Params<C>): Answer<Result<C>> {
  const answer = useAnswer(JSON.stringify([command, params]), () => api.call(command, params))
  useGathered(list.subscribe, RENEW_MS, answer.renew)
  useGathered(news, NEWS_MS, answer.renew)
  return answer
}
