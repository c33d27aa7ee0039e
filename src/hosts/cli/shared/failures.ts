import { CommanderError } from 'commander'
import { AcuseError, type ErrorCode, messageOf } from '#contract/errors.ts'

/** Exit codes; people script against them. */
export const EXIT = { done: 0, found: 1, usage: 2, failed: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export class CommandFailure extends Error {
  readonly exit: ExitCode
  constructor(exit: ExitCode, sentence: string) {
    super(sentence)
    this.name = 'CommandFailure'
    this.exit = exit
  }
}

export const wrongUsage = (sentence: string) => new CommandFailure(EXIT.usage, sentence)
export const couldNot = (sentence: string) => new CommandFailure(EXIT.failed, sentence)

/** Refusals that the words typed are to blame for. */
const USAGE: ReadonlySet<ErrorCode> = new Set(['bad-params', 'bad-filter'])

/** What a thrown thing means to the shell; no sentence where one was said already. */
export function understand(error: unknown): { exit: ExitCode; sentence: string | null } {
  if (error instanceof CommanderError) {
    // Commander has printed its own words. Help that was asked for is a success; help for want of a command is not.
    return { exit: error.exitCode === 0 ? EXIT.done : EXIT.usage, sentence: null }
  }
  if (error instanceof CommandFailure) return { exit: error.exit, sentence: error.message }
  if (error instanceof AcuseError)
    return { exit: USAGE.has(error.code) ? EXIT.usage : EXIT.failed, sentence: error.message }
  return { exit: EXIT.failed, sentence: messageOf(error) }
}
