import type { Kind } from '#catalog/kinds.ts'
import type { MissRule, Recovery } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import type { RebuiltRecord } from './ports.ts'

/** A missed event made again, to be stored as a synthetic delivery. */
export interface RebuiltEvent {
  readonly key: string
  readonly kind: Kind
  readonly rule: MissRule
  /** The envelope as JSON text. */
  readonly body: string
}

export interface RecoveryPlan {
  /** Without ids: nothing is stored yet. */
  readonly recovery: Recovery
  /** For `next`; null where the plan was only asked for. */
  readonly token: number | null
  /** Under which the deliveries are stored; null: the default one. */
  readonly endpoint: string | null
}

/** Missed events made again, batch by batch: only the store's own writer may store them. */
export interface Rebuilding {
  planRebuild(sweep: number, select: DocumentSelection, dryRun: boolean): Promise<RecoveryPlan>
  /** The plan's next events, at most so many; none when it is carried out. */
  nextRebuilt(token: number, limit: number): Promise<readonly RebuiltEvent[]>
  /** They are stored as these deliveries. */
  storedRebuilt(token: number, records: readonly RebuiltRecord[]): Promise<void>
}
