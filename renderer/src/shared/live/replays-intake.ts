import type { Push } from '#contract/pushes.ts'
import type { Platform } from '@/shared/platform/types.ts'
import { useReplays } from './replays.ts'

/** Keeps jobs, forwards and lists of attempts true to the host; after a gap in the sequence or a lost connection they are asked for again. */
export function startReplaysIntake(platform: Pick<Platform, 'onPush' | 'onConnection'>): void {
  let expected: number | null = null
  let lost = false
  const take = (push: Push) => {
    const { receive, missed } = useReplays.getState()
    if (expected !== null && push.seq !== expected) missed()
    expected = push.seq + 1
    if (push.push === 'replays.changed') receive(push.payload)
    else if (push.push === 'store.reset') missed()
  }
  platform.onPush(take)
  platform.onConnection((state) => {
    if (state === 'open' && lost) {
      expected = null
      useReplays.getState().missed()
    }
    lost = state === 'lost'
  })
}
