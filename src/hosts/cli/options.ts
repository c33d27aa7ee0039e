import { type Command, InvalidArgumentError } from 'commander'

/** What every command takes. */
export interface CommonOptions {
  readonly data?: string
  readonly json?: boolean
}

/** @param json what --json does for this command */
export function withCommon(command: Command, json: string): Command {
  return command
    .option('--data <dir>', 'folder with the data (default: ACUSE_DATA, else the user data folder)')
    .option('--json', json)
}

/** A whole number within bounds, both included. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
    return value
  }
}

export const portNumber = wholeNumber(0, 65_535)

/** Examples under a command's help. */
export function examples(
  command: Command,
  lines: readonly (readonly [line: string, meaning: string])[],
): Command {
  const width = Math.max(...lines.map(([line]) => line.length))
  const text = lines.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`)
  return command.addHelpText('after', `\nExamples:\n${text.join('\n')}`)
}
