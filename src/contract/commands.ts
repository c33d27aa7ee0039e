import type { z } from 'zod'
import { alertCommands } from './alerts.ts'
import { connectCommands } from './connect.ts'
import { deliveryCommands } from './delivery.ts'
import { documentCommands } from './documents.ts'
import { driftCommands } from './drift.ts'
import { faultCommands } from './faults.ts'
import type { Of } from './params.ts'
import { reconcileCommands } from './reconcile-commands.ts'
import { replayCommands } from './replay.ts'
import { sandboxCommands } from './sandbox-commands.ts'
import { settingsCommands } from './settings.ts'
import { sourceCommands } from './source.ts'
import { statusCommands } from './status.ts'
import { timelineCommands } from './timeline.ts'
import { transferCommands } from './transfer.ts'
import { updateCommands } from './updates.ts'
import { watchCommands } from './watch.ts'

const DECLARED = {
  ...statusCommands,
  ...deliveryCommands,
  ...documentCommands,
  ...timelineCommands,
  ...driftCommands,
  ...replayCommands,
  ...reconcileCommands,
  ...settingsCommands,
  ...faultCommands,
  ...connectCommands,
  ...sandboxCommands,
  ...watchCommands,
  ...alertCommands,
  ...transferCommands,
  ...updateCommands,
  ...sourceCommands,
}
type Declared = typeof DECLARED

export type CommandName = keyof Declared
export type Params<C extends CommandName> = Of<Declared[C]['params']>
export type Result<C extends CommandName> = Of<Declared[C]['result']>

export type Handlers = { readonly [C in CommandName]: (params: Params<C>) => Promise<Result<C>> }
/** Handlers of some commands, selected by name: `HandlersOf<`drift.${string}`>`. */
export type HandlersOf<Names extends string> = Pick<Handlers, CommandName & Names>

interface Command<C extends CommandName> {
  readonly about: string
  readonly params: z.ZodType<Params<C>>
  readonly result: z.ZodType<Result<C>>
}

/** Every command by its name. A host that leaves one out does not compile. */
export const COMMANDS: { readonly [C in CommandName]: Command<C> } = DECLARED
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

/** Whether a command changes nothing. */
export const isReading = (name: CommandName): boolean => 'reads' in DECLARED[name]

export type QueryName = {
  [C in CommandName]: Declared[C] extends { readonly query: true } ? C : never
}[CommandName]
const isQuery = (name: CommandName): name is QueryName => 'query' in DECLARED[name]
export const QUERIES: readonly QueryName[] = COMMAND_NAMES.filter(isQuery)
