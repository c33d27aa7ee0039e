import { type Command, InvalidArgumentError } from 'commander'
import { AcuseError } from '#contract/errors.ts'
import { nearest } from '#core/filter/nearest.ts'
import type { Reached } from './reach.ts'
import { knownNames } from './text.ts'

/** For settings that an option can switch on or off, and leaves alone when it is not given. */
export function yesNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Give yes or no.')
}

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

/**
 * The filter that `--filter` means: `@name` stands for the one saved under that name, ignoring case.
 * @throws AcuseError `not-found`
 */
export async function namedFilter(reached: Pick<Reached, 'call'>, text: string): Promise<string> {
  if (!text.startsWith('@')) return text
  const wanted = text.slice(1).trim().toLowerCase()
  const { savedFilters } = await reached.call('settings.get', {})
  const found = savedFilters.find(({ name }) => name.toLowerCase() === wanted)
  if (found) return found.filter
  const names = savedFilters.map(({ name }) => name)
  const [meant] = nearest(wanted, names)
  const known = names.length === 0 ? '' : ` ${knownNames(names)}`
  const hint = meant ? ` Did you mean @${meant}?` : known
  throw new AcuseError('not-found', `There is no saved filter named "${text.slice(1)}".${hint}`)
}
