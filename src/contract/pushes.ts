import type { Kind } from '#catalog/kinds.ts'
import type { DeliveryRow } from './delivery.ts'
import type { Sweep } from './reconcile.ts'
import type { ForwardState, Job } from './replay.ts'
import type { ScheduleState } from './schedule.ts'
import type { FilterMatches, Settings } from './settings.ts'
import type { HostStatus } from './status.ts'

export interface Pushes {
  /** Deliveries that arrived or were judged, at most 20 times a second: the newest ROWS_PER_PUSH of them, and how many others changed. */
  'deliveries.changed': {
    readonly rows: readonly DeliveryRow[]
    readonly skipped: number
    readonly lastId: number
    readonly stored: number
  }
  'status.changed': HostStatus
  'settings.changed': Settings
  /** Attempts were made or jobs and forwards changed since the last push, at most five times a second. */
  'replays.changed': {
    readonly jobs: readonly Job[]
    /** All of them; null when none changed. */
    readonly forwards: readonly ForwardState[] | null
    /** Deliveries whose attempts changed, at most DELIVERIES_PER_PUSH; `more` when there were others besides. */
    readonly deliveries: readonly number[]
    readonly more: boolean
  }
  /** Sweeps that changed since the last push, at most five times a second; one that was removed is not among them. */
  'sweeps.changed': { readonly sweeps: readonly Sweep[]; readonly removed: readonly number[] }
  /** Deliveries of those kinds showed something first, or what was observed of them was forgotten. */
  'drift.changed': { readonly kinds: readonly Kind[] }
  'schedules.changed': { readonly schedules: readonly ScheduleState[] }
  /** A scheduled run has ended; its result stands in `last`. */
  'schedules.finished': ScheduleState
  /** A filter that tells has found deliveries; of one filter at most every ten seconds. */
  'filters.matched': FilterMatches
  /** Positions and rows known so far are void: deliveries were deleted or restored, or another database took over. */
  'store.reset': {
    readonly reason: 'retention' | 'evicted' | 'replaced' | 'salvaged' | 'trashed' | 'restored'
  }
}
export type PushName = keyof Pushes

/** As one argument each: where the name is compared, the payload is narrowed too. */
export type Pushed = { [P in PushName]: [push: P, payload: Pushes[P]] }[PushName]

/** A push on the wire. `seq` rises by one per connection; a client that sees a gap asks for a snapshot again. */
export type Push = {
  [P in PushName]: { readonly seq: number; readonly push: P; readonly payload: Pushes[P] }
}[PushName]
