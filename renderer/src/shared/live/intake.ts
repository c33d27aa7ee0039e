import type { Push } from '#contract/pushes.ts'
import type { FilterMatches } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Platform } from '@/shared/platform/types.ts'
import type { Changed } from './delivery-set.ts'
import { useReplays } from './replays.ts'
import { keepSettings } from './settings.ts'
import { useStatus } from './status.ts'

/** Pushes held for one frame. A hidden window draws no frames: beyond this many the set is read again instead. */
const HELD = 400

interface Sink {
  apply(pushes: readonly Changed[]): void
  /** Of these deliveries something changed that rows tell, without the rows themselves; null: of any. */
  outdate(ids: readonly number[] | null): void
  reopen(): void
  matched(matches: FilterMatches): void
}

/** A snapshot first, then pushes, merged per animation frame; after a gap in the sequence, a lost connection or a reset a snapshot again. */
export function startIntake(platform: Platform, sink: Sink): void {
  const { receive, introduce, connected } = useStatus.getState()
  let expected: number | null = null
  let held: Changed[] = []
  let status: HostStatus | undefined
  let drawing = false
  let lost = false
  let begun = false
  /** How often a push told the status and the settings: an answer that was asked for before it is older. */
  const told = { status: 0, settings: 0 }

  const flush = () => {
    drawing = false
    const pushes = held
    held = []
    if (status) receive(status)
    status = undefined
    if (pushes.length > HELD) sink.reopen()
    else if (pushes.length > 0) sink.apply(pushes)
  }
  const soon = () => {
    if (!drawing) requestAnimationFrame(flush)
    drawing = true
  }
  const snapshot = async () => {
    const before = { ...told }
    const [info, first, settings] = await Promise.all([
      platform.call('app.info', {}),
      platform.call('status.get', {}),
      platform.call('settings.get', {}),
    ])
    introduce(info)
    if (told.status === before.status) receive(first)
    if (told.settings === before.settings) keepSettings(settings)
  }
  const begin = () => {
    if (begun) useReplays.getState().missed()
    begun = true
    expected = null
    held = []
    sink.reopen()
    // What failed shows as a lost connection or in the list; a later push or reconnection tries again.
    snapshot().catch(() => undefined)
  }
  /** The first reads went out before the pushes began: what arrived in between was in neither. */
  const renew = () => {
    sink.apply([{ rows: [], skipped: 1 }])
    snapshot().catch(() => undefined)
  }
  const take = (push: Push) => {
    const gap = expected !== null && push.seq !== expected
    if (gap) begin()
    expected = push.seq + 1
    switch (push.push) {
      case 'deliveries.changed':
        if (gap) return
        if (held.length <= HELD) held.push(push.payload)
        return soon()
      case 'status.changed':
        told.status++
        status = push.payload
        return soon()
      case 'replays.changed':
        useReplays.getState().receive(push.payload)
        return gap ? undefined : sink.outdate(push.payload.more ? null : push.payload.deliveries)
      case 'settings.changed':
        told.settings++
        return keepSettings(push.payload)
      case 'filters.matched':
        return sink.matched(push.payload)
      case 'store.reset':
        held = []
        useReplays.getState().missed()
        return sink.reopen()
    }
  }
  platform.onPush(take)
  platform.onConnection((state, retryAt) => {
    connected(state, retryAt)
    if (state === 'open' && lost) begin()
    else if (state === 'open' && begun) renew()
    lost = state === 'lost'
  })
  begin()
}
