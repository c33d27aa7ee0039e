import type { ExitCode } from './failures.ts'
import type { Terminal } from './terminal.ts'

/** What a command gets to work with. */
export interface CommandContext {
  readonly terminal: Terminal
  /** Sets the exit code of a command that did its work and found something. */
  exitWith(code: ExitCode): void
}
