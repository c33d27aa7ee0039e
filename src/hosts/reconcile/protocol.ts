import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import type { ReportFile, ReportParams } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import type { ReconcileCallName, ReconcileNotice } from '#core/ports.ts'
import type { Patience } from '#core/reconcile/patience.ts'
import type { RebuiltRecord } from '#core/reconcile/ports.ts'
import type { RebuiltEvent, RecoveryPlan } from '#core/reconcile/rebuilding.ts'
import type { ReconcileSurroundings } from '#core/sweep/runner-ports.ts'

/** Absolute paths of the databases. */
export interface ReconcilePaths {
  readonly captured: string
  readonly derived: string
  readonly replays: string
  readonly sweeps: string
}

/** A command with its parameters, as one value: which belongs to which is known where it is sent. */
export interface Command {
  readonly name: ReconcileCallName
  readonly params: Params<ReconcileCallName>
}

/** What the reconcile thread can be asked for. */
export interface ReconcileCalls {
  /** Opens the databases and pauses what a former process left running. */
  open(paths: ReconcilePaths, surroundings: ReconcileSurroundings, patience: Patience): void
  command(command: Command): Promise<Result<ReconcileCallName>>
  /** @param version of Acuse */
  report(connection: Connection, version: string, params: ReportParams): Promise<ReportFile>
  renameConnection(previous: string, name: string): void
  planRebuild(sweep: number, select: DocumentSelection, dryRun: boolean): RecoveryPlan
  nextRebuilt(token: number, limit: number): readonly RebuiltEvent[]
  storedRebuilt(token: number, records: readonly RebuiltRecord[]): void
  /** Lets go of the databases of deliveries, which are about to be set aside, until the order `reopen`. */
  release(): void
  /** Pauses what runs and lets go of the databases. */
  close(): Promise<void>
}

/** Told without waiting. */
export type ReconcileOrder =
  | { readonly order: 'configure'; readonly surroundings: ReconcileSurroundings }
  /** The databases of deliveries are other files now. */
  | { readonly order: 'reopen' }

export type ReconcileMessage =
  | { readonly event: 'notice'; readonly notice: ReconcileNotice }
  | { readonly event: 'warning'; readonly message: string }
