import type { ForwardLane, ForwardState } from '#contract/replay.ts'
import { number } from './job-screen.ts'
import { shownUrl } from './target-text.ts'
import { visible } from './visible.ts'

/** A forward for people: name, what it forwards, then each target with how its queue stands. */
export function forwardText(forward: ForwardState): string {
  const { name, enabled, filter, temporary, concurrency, whenDown, answerFrom, answerTimeoutMs } = forward
  const lines = [
    `${name}  ${enabled ? 'on' : 'off'}${temporary ? ', temporary' : ''}  ${filter === '' ? 'all deliveries' : filter}`,
    `     ${concurrency} at once; while a target is down, deliveries are ${whenDown === 'queue' ? 'kept for later' : 'dropped'}`,
    ...(answerFrom === null
      ? []
      : [`     answers with what ${shownUrl(answerFrom)} answers within ${answerTimeoutMs} ms`]),
    ...forward.lanes.map((lane) => `     ${laneText(lane)}`),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

function laneText({ target, state, waiting, sent, failed, dropped, lastError, stall }: ForwardLane): string {
  const counts = [
    `${number(sent)} sent`,
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    ...(waiting > 0 ? [`${number(waiting)} waiting`] : []),
    ...(dropped > 0 ? [`${number(dropped)} dropped`] : []),
  ]
  const reason = state === 'stalled' ? stall : state === 'down' || state === 'refused' ? lastError : null
  const why = reason === null ? '' : `: ${reason.message}`
  return `${shownUrl(target)}  ${state}  ${counts.join(', ')}${why}`
}
