import type { Pushes } from '#contract/pushes.ts'
import type { Job } from '#contract/replay.ts'
import type { ReplayNotice, Replays } from '../ports.ts'

interface Feed {
  readonly heard: boolean
  send(push: 'replays.changed', payload: Pushes['replays.changed']): void
}

/** Turns the notices of what is sent again, which come at most five times a second, into pushes. */
export function pushReplays(replays: Replays, feed: Feed): void {
  // One after the other: a push never shows an older state than the one before it.
  let turn = Promise.resolve()
  replays.onNotice((notice) => {
    turn = turn.then(() => push(replays, feed, notice))
  })
}

async function push(replays: Replays, feed: Feed, notice: ReplayNotice): Promise<void> {
  if (!feed.heard) return
  const { deliveries, more } = notice
  const [jobs, forwards] = await Promise.all([
    Promise.all(notice.jobs.map((id) => jobOf(replays, id))),
    notice.forwards ? forwardsOf(replays) : null,
  ])
  feed.send('replays.changed', { jobs: jobs.filter((job) => job !== null), forwards, deliveries, more })
}

/** @returns null for one that was removed meanwhile, or cannot be read now: a window asks again for what it shows */
const jobOf = (replays: Replays, id: number): Promise<Job | null> =>
  replays.call('jobs.get', { id }).catch(() => null)

const forwardsOf = (replays: Replays): Promise<Pushes['replays.changed']['forwards']> =>
  replays.call('forwards.list', {}).then(
    ({ forwards }) => forwards,
    () => null,
  )
