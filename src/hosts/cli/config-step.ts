import type { z } from 'zod'
import { type CommandName, PARAMS } from '#contract/commands.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import type { Step } from './config-paths.ts'
import { wrongUsage } from './failures.ts'

/**
 * A command to be given, checked as the engine will check it.
 * @param at where its parameters stand in the file; @param says what it does, for the person
 * @throws CommandFailure saying where the file is wrong
 */
export function checked(command: CommandName, params: unknown, at: string, says: string): Step {
  const understood = PARAMS[command].safeParse(params, { error: paramWords })
  if (!understood.success) throw wrong(at, understood.error)
  // PARAMS[command] has just established that these are that command's own parameters.
  return { command, params: understood.data, says } as Step
}

/** The first thing that is wrong with a file, and where. */
export function wrong(at: string, error: z.ZodError) {
  const found = firstWrong(error)
  const path = [...(at ? [at] : []), ...found.path.map(String)].join('.')
  return wrongUsage(`${path || 'the file'}: ${found.message}`)
}
