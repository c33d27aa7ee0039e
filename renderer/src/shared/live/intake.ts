import type { Push } from '#contract/pushes.ts'
import type { FilterMatches } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import type { Platform } from '@/shared/platform/types.ts'
import type { Changed } from './delivery-set.ts'
import { useReplays } from './replays.ts'
import { keepSettings } from './settings.ts'
import { useStatus } from './status.ts'

/** Maximum pushes buffered for one frame. A hidden window draws no frames: beyond this limit the set is read again instead. */
const HELD = 400

interface Sink {
  apply(pushes: readonly Changed[]): void
  /** Row data of these deliveries changed, but the push carries no rows; null: any delivery may have changed. */
  outdate(ids: readonly number[] | null): void
  reopen(): void
  matched(matches: FilterMatches): void
}

/** Reads a snapshot, then applies pushes per animation frame. A sequence gap, a lost connection or a reset causes a new snapshot. */
export function startIntake(platform: Platform, sink: Sink): void {
  const { receive, introduce, connected, end } = useStatus.getState()
  let expected: number | null = null
  let held: Changed[] = []
  let status: HostStatus | undefined
  let drawing = false
  let lost = false
  let begun = false
  /** Number of pushes with status and settings: a push that arrives during a request is newer than the answer. */
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
  /** The socket does not tell why it closed; a command does. */
  const askWhy = () =>
    platform.call('app.info', {}).catch((error: unknown) => {
      const { why, origin } = refusalOf(error).details ?? {}
      if (why === 'session-ended') end(String(origin))
    })
  const begin = () => {
    if (begun) useReplays.getState().missed()
    begun = true
    expected = null
    held = []
    sink.reopen()
    // The list or the banner of the lost connection shows the failure; a later push or reconnection retries.
    snapshot().catch(() => undefined)
  }
  /** The first reads were sent before the pushes began, so deliveries that arrived in between are in neither. */
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
    if (state === 'open') end(null)
    else if (state === 'lost' && retryAt !== null) void askWhy()
    if (state === 'open' && lost) begin()
    else if (state === 'open' && begun) renew()
    lost = state === 'lost'
  })
  begin()
}
