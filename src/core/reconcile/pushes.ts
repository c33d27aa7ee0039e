import type { Pushes } from '#contract/pushes.ts'
import type { Sweep } from '#contract/reconcile.ts'
import type { ReconcileNotice, Reconciles } from '../ports.ts'

interface Feed {
  readonly heard: boolean
  send(push: 'sweeps.changed', payload: Pushes['sweeps.changed']): void
}

/** Turns the notices of sweeps, which come at most five times a second, into pushes. */
export function pushSweeps(reconciles: Reconciles, feed: Feed): void {
  // One after the other: a push never shows an older state than the one before it.
  let turn = Promise.resolve()
  reconciles.onNotice((notice) => {
    turn = turn.then(() => push(reconciles, feed, notice))
  })
}

async function push(reconciles: Reconciles, feed: Feed, { sweeps: ids }: ReconcileNotice): Promise<void> {
  if (!feed.heard) return
  // What cannot be read now was removed, or is asked for again by whoever shows it.
  const found = await Promise.all(
    ids.map((id): Promise<Sweep | number> => reconciles.call('sweeps.get', { id }).catch(() => id)),
  )
  feed.send('sweeps.changed', {
    sweeps: found.filter((one) => typeof one !== 'number'),
    removed: found.filter((one) => typeof one === 'number'),
  })
}
