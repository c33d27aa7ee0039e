import type { Kind } from '#catalog/kinds.ts'
import type { AlertState } from './alerts.ts'
import type { DeliveryRow } from './delivery.ts'
import type { Sweep } from './reconcile.ts'
import type { ForwardState, Job } from './replay.ts'
import type { ScheduleState } from './schedule.ts'
import type { FilterMatches, Settings } from './settings.ts'
import type { HostStatus } from './status.ts'

export interface Pushes {
  /** At most 20 times a second: the newest ROWS_PER_PUSH deliveries that arrived or were judged; `skipped` counts the other changes. */
  'deliveries.changed': {
    readonly rows: readonly DeliveryRow[]
    readonly skipped: number
    readonly lastId: number
    readonly stored: number
  }
  'status.changed': HostStatus
  'settings.changed': Settings
  /** Sent at most five times a second when attempts were made or jobs or forwards changed since the last push. */
  'replays.changed': {
    readonly jobs: readonly Job[]
    /** All forwards; null when none changed. */
    readonly forwards: readonly ForwardState[] | null
    /** Deliveries whose attempts changed, at most DELIVERIES_PER_PUSH; `more` when there are others. */
    readonly deliveries: readonly number[]
    readonly more: boolean
  }
  /** Sweeps that changed since the last push, at most five times a second; `removed` has the ids of deleted ones. */
  'sweeps.changed': { readonly sweeps: readonly Sweep[]; readonly removed: readonly number[] }
  /** Deliveries of these kinds showed something new, or their profiles were reset. */
  'drift.changed': { readonly kinds: readonly Kind[] }
  'alerts.changed': { readonly alerts: readonly AlertState[] }
  'schedules.changed': { readonly schedules: readonly ScheduleState[] }
  /** A scheduled run has ended; `last` has its result. */
  'schedules.finished': ScheduleState
  /** A saved filter with notifications matched deliveries; at most every ten seconds per filter. */
  'filters.matched': FilterMatches
  /** The client must discard its positions and rows: deliveries were deleted or restored, or the database was replaced. */
  'store.reset': {
    readonly reason: 'retention' | 'evicted' | 'replaced' | 'salvaged' | 'trashed' | 'restored'
  }
}
export type PushName = keyof Pushes

/** A push as one tuple, so that comparing the name also narrows the payload. */
export type Pushed = { [P in PushName]: [push: P, payload: Pushes[P]] }[PushName]

/** A push on the wire. `seq` rises by one per connection; a client that sees a gap requests a snapshot. */
export type Push = {
  [P in PushName]: { readonly seq: number; readonly push: P; readonly payload: Pushes[P] }
}[PushName]

/** Whether a client gets pushes. */
export type ConnectionState = 'open' | 'lost'
