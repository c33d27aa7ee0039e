import type { Params, Result } from '#contract/commands.ts'
import type { ReplayCommandName } from '#contract/replay.ts'
import type { ReplayNotice, TargetAnswer } from '#core/ports.ts'
import type { Surroundings } from '#core/replay/parcels.ts'
import type { CallContext, RunnerStart } from '#core/replay/runner.ts'

/** Absolute paths of the databases. */
export interface ReplayPaths {
  readonly captured: string
  readonly derived: string
  readonly replays: string
  readonly sweeps: string
}

/** A command with its parameters, as one value: which belongs to which is known where it is sent. */
export interface Command {
  readonly name: ReplayCommandName
  readonly params: Params<ReplayCommandName>
}

/** What the replay thread can be asked for. */
export interface ReplayCalls {
  /** Opens the databases, takes up what a former process left, and begins to send. */
  open(paths: ReplayPaths, start: RunnerStart): void
  command(command: Command, context: CallContext): Promise<Result<ReplayCommandName>>
  answerFor(id: number): Promise<TargetAnswer | null>
  /** Lets go of the databases of deliveries, which are about to be set aside, until the order `reopen`. */
  release(): void
  /** Sends no more, waits for what is on its way (bounded), and lets go of the databases. */
  close(): Promise<void>
}

/** Told without waiting. */
export type ReplayOrder =
  | { readonly order: 'configure'; readonly surroundings: Surroundings }
  /** Every delivery up to this id is analysed. */
  | { readonly order: 'settled'; readonly upto: number }
  | { readonly order: 'follow-deletions' }
  /** The databases of deliveries are other files now. */
  | { readonly order: 'reopen' }

export type ReplayMessage =
  | { readonly event: 'notice'; readonly notice: ReplayNotice }
  /** How long a delivery may wait for a target's answer, milliseconds; null when no forward gives one. */
  | { readonly event: 'answers'; readonly timeoutMs: number | null }
  | { readonly event: 'warning'; readonly message: string }
