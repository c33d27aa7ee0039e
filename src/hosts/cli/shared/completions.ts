import type { Argument, Command, Option } from 'commander'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { FIELD_WORDS } from '#core/filter/suggest.ts'
import { KIND_NAMES, KIND_WILDCARDS } from '#core/filter/values.ts'

/** A word that a shell offers. A word that begins with "@" stands for words that the shell finds itself: `@files`, `@filter`. */
export interface Offered {
  readonly word: string
  readonly about: string
}
/**
 * Words by place: `acuse events` has a command's options, subcommands and arguments, `acuse events --filter` the values of an option (none
 * for a free text), `filter` the fields of the filter language, and `filter kind` their values.
 */
export type Completions = ReadonlyMap<string, readonly Offered[]>

const plain = (words: readonly string[]): readonly Offered[] => words.map((word) => ({ word, about: '' }))
const FILES = plain(['@files'])

/** Values by the placeholder of an option or argument, such as `<kind>`. */
const BY_PLACEHOLDER: Readonly<Record<string, readonly Offered[]>> = {
  filter: plain(['@filter']),
  kind: plain(KIND_NAMES),
  kinds: plain([...KIND_NAMES, ...KIND_WILDCARDS, 'all']),
  'event-type': plain(PLUGIN_EVENT_TYPES),
  'yes|no': plain(['yes', 'no']),
  file: FILES,
  dir: FILES,
}

/** @param scenarios names of the sandbox's scenarios, whose module is too large to load with every command */
export function completionsOf(program: Command, scenarios: readonly string[]): Completions {
  const all = new Map<string, readonly Offered[]>()
  const values = ({ argChoices }: Option | Argument, placeholder = ''): readonly Offered[] =>
    argChoices
      ? plain(argChoices)
      : placeholder === 'scenario'
        ? plain(scenarios)
        : (BY_PLACEHOLDER[placeholder] ?? [])

  const add = (command: Command, path: string): void => {
    const options = command.options.filter(({ hidden }) => !hidden)
    all.set(path, [
      ...command.registeredArguments.flatMap((one) => values(one, one.name())),
      ...command.commands.map((one) => ({ word: one.name(), about: gist(one.description()) })),
      ...options.map(({ long, description }) => ({ word: long ?? '', about: gist(description) })),
      { word: '--help', about: 'print help' },
    ])
    for (const option of options)
      if (option.required || option.optional)
        all.set(`${path} ${option.long}`, values(option, /[<[](.+?)(?:\.{3})?[>\]]/.exec(option.flags)?.[1]))
    for (const inner of command.commands) add(inner, `${path} ${inner.name()}`)
  }
  add(program, program.name())
  const fields = FIELD_WORDS.map(({ name, meaning, choices }) => ({
    word: /[.$]$/.test(name) ? name : `${name}:`,
    about: meaning.en,
    choices: choices({}),
  }))
  all.set('filter', fields)
  for (const { word, choices } of fields)
    if (choices.length > 0)
      all.set(
        `filter ${word.slice(0, -1)}`,
        choices.map(({ value, meaning }) => ({ word: `${word}${value}`, about: meaning.en })),
      )
  return all
}

/** The first sentence, without what a shell's table of words could not hold. */
const gist = (about: string): string =>
  (/^.*?(?=[.:;] |\.$|$)/.exec(about)?.[0] ?? '').replace(/[\t\n]/g, ' ')
