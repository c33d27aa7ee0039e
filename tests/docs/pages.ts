import type { Command, Option } from 'commander'
import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { GROUPS, KINDS } from '#catalog/kinds.ts'
import { acuse } from '#hosts/cli/main.ts'
import { terminalDouble } from '../support/terminal-double.ts'

/** Pages generated from the code, by path below `docs/`. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'spec/events.md': events,
  'reference/cli.md': commandLine,
}

const MADE = '<!-- Made by `npm run docs`; change the code instead. -->'

function events(): string {
  return page(
    '# Events',
    'The 28 kinds in 8 groups, from `src/catalog`. [service.md](service.md) has the envelope and the rules of dispatch.',
    '## Kinds',
    ...GROUPS.flatMap(({ slug, name }) => [
      `### ${name.en}`,
      table(
        ['Kind', 'Emitted when', 'Fields of `data`'],
        KINDS.filter(({ group }) => group === slug).map(({ kind, emittedWhen, fields }) => [
          `\`${kind}\``,
          emittedWhen.en,
          fields.map((field) => `\`${field}\``).join(' '),
        ]),
      ),
    ]),
    '## Fields',
    'A field without a type has none that the specification shows: no value of it is wrong.',
    '### Envelope',
    fieldTable(ENVELOPE_FIELDS),
    '### data',
    fieldTable(DATA_FIELDS),
    '### Item of Lines',
    fieldTable(LINE_FIELDS),
    '### Accounting',
    fieldTable(ACCOUNTING_FIELDS),
  )
}

const fieldTable = (fields: ReadonlyMap<string, FieldSpec>): string =>
  table(
    ['Field', 'English', 'Spanish', 'Type', 'The specification says'],
    [...fields.values()].map(({ name, label, type, documentation }) => [
      `\`${name}\``,
      label.en,
      label.es,
      type === 'unknown' ? '' : type,
      documentation?.en ?? '',
    ]),
  )

function commandLine(): string {
  return page(
    '# Command line',
    'Run `npm run -s acuse -- <command>`, or `acuse <command>` where it is installed. Commands work beside the open app. Machine output goes to' +
      ' stdout, messages to stderr. [Exit codes and files](files.md) have their own page.',
    ...program().commands.flatMap((command) => commandPart(command, 'acuse', 2)),
  )
}

/** Captures the help text, the only place of a command's examples. */
let printed = ''
const program = (): Command =>
  acuse({
    terminal: {
      ...terminalDouble(),
      print: async (text) => {
        printed += text
      },
    },
    exitWith() {},
  })

function commandPart(command: Command, parent: string, level: number): readonly string[] {
  const name = `${parent} ${command.name()}`
  const options = command.options.filter(({ hidden }) => !hidden)
  return [
    `${'#'.repeat(level)} ${name}`,
    command.description(),
    `\`\`\`\n${name} ${command.usage()}\n\`\`\``,
    ...command.registeredArguments
      .filter(({ description }) => description)
      .map((argument) => `\`${argument.name()}\`: ${escaped(argument.description)}`),
    ...(options.length > 0 ? [table(['Option', ''], options.map(optionRow))] : []),
    ...tail(command),
    ...command.commands.flatMap((inner) => commandPart(inner, name, level + 1)),
  ]
}

const optionRow = ({
  flags,
  description,
  defaultValue,
  defaultValueDescription,
}: Option): readonly string[] => [
  `\`${flags}\``,
  defaultValue === undefined || defaultValue === '' || defaultValue === false
    ? description
    : `${description} (default: \`${defaultValueDescription ?? String(defaultValue)}\`)`,
]

function tail(command: Command): readonly string[] {
  printed = ''
  command.outputHelp()
  const examples = printed.split('\nExamples:\n')[1]?.trimEnd()
  return examples
    ? [`\`\`\`sh\n${examples.replace(/^ {2}/gm, '').replace(/ {2,}(?=\S[^\n]*$)/gm, '  # ')}\n\`\`\``]
    : []
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Escapes "<" outside of backticks, where Markdown would read it as a tag. */
const escaped = (cell: string): string => {
  const row = cell.replaceAll('|', '\\|')
  return row.startsWith('`') ? row : row.replaceAll('<', '&lt;')
}

const page = (title: string, ...parts: readonly string[]): string =>
  `${[title, MADE, ...parts].join('\n\n')}\n`
