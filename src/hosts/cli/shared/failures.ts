import { CommanderError } from 'commander'
import { AcuseError, type ErrorCode, messageOf } from '#contract/errors.ts'

/** Exit codes; users' scripts rely on them. */
export const EXIT = { done: 0, found: 1, usage: 2, failed: 3 } as const
export const EXIT_CODES =
  'Exit codes: 0 done, 1 found what was asked to fail on, 2 wrong usage, 3 could not do it.'
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

/** Error codes that a mistake in the command's words causes. */
const USAGE: ReadonlySet<ErrorCode> = new Set(['bad-params', 'bad-filter'])

/** Maps an error to an exit code and a sentence; the sentence is null when commander has printed one. */
export function understand(error: unknown): { exit: ExitCode; sentence: string | null } {
  if (error instanceof CommanderError) {
    // Help that the user requests exits with 0; help because the command is missing does not.
    return { exit: error.exitCode === 0 ? EXIT.done : EXIT.usage, sentence: null }
  }
  if (error instanceof CommandFailure) return { exit: error.exit, sentence: error.message }
  if (error instanceof AcuseError)
    return { exit: USAGE.has(error.code) ? EXIT.usage : EXIT.failed, sentence: error.message }
  return { exit: EXIT.failed, sentence: messageOf(error) }
}
