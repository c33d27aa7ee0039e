import type { z } from 'zod'
import { COMMANDS, type CommandName } from '#contract/commands.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import type { StepOf } from './config-paths.ts'
import { wrongUsage } from './failures.ts'

/**
 * A command to be given, checked as the engine will check it.
 * @param at where its parameters stand in the file; @param says what it does, for the person
 * @throws CommandFailure saying where the file is wrong
 */
export function checked<C extends CommandName>(
  command: C,
  params: unknown,
  at: string,
  says: string,
): StepOf<C> {
  const understood = COMMANDS[command].params.safeParse(params, { error: paramWords })
  if (!understood.success) throw wrong(at, understood.error)
  return { command, params: understood.data, says }
}

/** The first thing that is wrong with a file, and where. */
export function wrong(at: string, error: z.ZodError) {
  const found = firstWrong(error)
  const path = [...(at ? [at] : []), ...found.path.map(String)].join('.')
  return wrongUsage(`${path || 'the file'}: ${found.message}`)
}
