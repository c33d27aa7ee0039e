import type { ResolvedConnection } from '../connections.ts'
import type { Clock, ReconcileNotice } from '../ports.ts'
import type { Patience } from '../reconcile/patience.ts'
import type { PluginPublisher } from '../reconcile/plugin-publisher.ts'
import type { SweepStore } from '../reconcile/ports.ts'
import type { SyncSource } from '../reconcile/sync-source.ts'

export interface ReconcilePorts {
  readonly store: SweepStore
  readonly clock: Clock
  readonly patience: Patience
  /** The sync routes of a connection, whose key is known. */
  source(connection: ResolvedConnection, apiKey: string): SyncSource
  publisher(connection: ResolvedConnection, token: string): PluginPublisher
  wait(ms: number, signal: AbortSignal): Promise<void>
  notice(notice: ReconcileNotice): void
  warn(message: string): void
}

/** What only the process around knows. */
export interface ReconcileSurroundings {
  readonly connections: readonly ResolvedConnection[]
  /** Where our own receiver listens; null when it does not. */
  readonly ownReceiver: { readonly host: string; readonly port: number } | null
}
