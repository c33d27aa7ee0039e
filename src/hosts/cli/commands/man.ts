import type { Command } from 'commander'
import { command, type Declaration, examplesOf } from '../shared/command.ts'
import { EXIT_CODES } from '../shared/failures.ts'
import { VERSION } from '../shared/terminal.ts'

/** Made from the commands beside it, so it is declared on their parent. */
export const man: Declaration = (parent, context) =>
  command({
    name: 'man',
    about: 'Print the manual page of all commands, in troff.',
    folder: null,
    json: 'print {"name","section","page"}',
    examples: [
      ['acuse man | man -l -', 'read it'],
      ['acuse man > ~/.local/share/man/man1/acuse.1', 'keep it where "man acuse" finds it'],
    ],
    async run(_, cli) {
      const page = manualPage(parent)
      await cli.print({ name: parent.name(), section: 1, page }, page)
    },
  })(parent, context)

const VARIABLES = [
  ['ACUSE_DATA', 'The data folder, where --data names none.'],
  ['ACUSE_LOG_URL', 'The shared log, where --log names none.'],
  ['ACUSE_LOG_KEY', 'The passphrase that seals the secrets of a shared log.'],
  ['ACUSE_SECRET', 'The value of the header that serve --secret-header demands.'],
  ['ACUSE_API_KEY', 'The key of reconcile and connections without a saved one.'],
  ['ACUSE_PLUGIN_TOKEN', 'The token of publish without a saved one.'],
  ['NO_COLOR', 'Any value switches colours off.'],
] as const

function manualPage(program: Command): string {
  return [
    `.TH ACUSE 1 "" "acuse ${VERSION}" "Acuse"`,
    '.SH NAME',
    `acuse \\- ${text(lowered(program.description()))}`,
    '.SH SYNOPSIS',
    '.B acuse',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...program.commands.flatMap((one) => section(one, program.name())),
    '.SH EXIT STATUS',
    text(EXIT_CODES.replace(/^[^:]+: /, '').replace(/^./, (letter) => letter.toUpperCase())),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, text(meaning)]),
    '',
  ].join('\n')
}

function section(command: Command, parent: string): readonly string[] {
  const name = `${parent} ${command.name()}`
  const examples = examplesOf(command)
  return [
    `.SS "${text(`${name} ${command.usage()}`)}"`,
    text(command.description()),
    ...command.registeredArguments.flatMap((one) => entry(one.name(), one.description, one.argChoices)),
    ...command.options.flatMap(({ flags, description, argChoices }) => entry(flags, description, argChoices)),
    ...(examples.length > 0 ? ['.PP', 'Examples:'] : []),
    ...examples.flatMap(([line, meaning]) => ['.TP', `\\f(CR${text(line)}\\fR`, text(meaning)]),
    ...command.commands.flatMap((inner) => section(inner, name)),
  ]
}

const entry = (name: string, about: string, choices: readonly string[] = []): readonly string[] => [
  '.TP',
  `\\fB${text(name)}\\fR`,
  text(choices.length > 0 ? `${about} (${choices.join(', ')})` : about) || '\\&',
]

const lowered = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`

/** Escapes what troff would interpret: backslashes, dashes that are no hyphens, quotes in arguments, a dot or quote that begins a line. */
const text = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/^\./, '\\&.')
    .replace(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
