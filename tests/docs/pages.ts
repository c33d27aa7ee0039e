import { join } from 'node:path'
import type { Command, Option } from 'commander'
import type { z } from 'zod'
import { acuse } from '#hosts/cli/main.ts'
import { READING } from '#hosts/cli/mcp/reading.ts'
import type { Tool } from '#hosts/cli/mcp/tool.ts'
import { WRITING } from '#hosts/cli/mcp/writing.ts'
import { kindsMarkdown, markdownCell, markdownTable } from '#interop/schema/write.ts'
import { licencesParts } from '../release/shipped.ts'
import { terminalDouble } from '../support/terminal-double.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Pages generated from the code, by path below `docs/`. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'spec/events.md': () => kindsMarkdown(undefined, EVENTS_NOTE),
  'reference/cli.md': commandLine,
  'reference/mcp.md': agentTools,
  'licences.md': () => page('# Licences', ...licencesParts(ROOT)),
}

const MADE = '<!-- Made by `npm run docs`; change the code instead. -->'
const EVENTS_NOTE = `${MADE}\n\n[service.md](service.md) has the envelope and the rules of dispatch.`

function commandLine(): string {
  return page(
    '# Command line',
    'Run `npm run -s acuse -- <command>`, or `acuse <command>` where it is [installed](../guide/install.md); `acuse` alone is `acuse serve --open`. Commands work beside the open app. Machine output goes to' +
      ' stdout, messages to stderr. [Exit codes and files](files.md) have their own page.',
    ...program().commands.flatMap((command) => commandPart(command, 'acuse', 2)),
  )
}

function agentTools(): string {
  return page(
    '# Tools of agents',
    'The tools of `acuse mcp`. [Coding agents](../guide/agents.md) says how to connect one, and what is masked.',
    '## Reading',
    ...READING.flatMap(toolPart),
    '## Writing',
    'Only with `--allow-write`.',
    ...WRITING.flatMap(toolPart),
  )
}

function toolPart({ name, about, params }: Tool): readonly string[] {
  const { properties = {}, required = [] } = params.toJSONSchema({ io: 'input' }) as ParamsSchema
  const rows = Object.entries(properties).map(([member, { description = '', ...rest }]) => [
    `\`${member}\``,
    required.includes(member) ? 'required' : 'default' in rest ? `\`${JSON.stringify(rest.default)}\`` : '',
    description,
  ])
  return [
    `### ${name}`,
    about,
    ...(rows.length > 0 ? [markdownTable(['Parameter', 'Default', ''], rows)] : []),
  ]
}
interface ParamsSchema extends Pick<z.core.JSONSchema.JSONSchema, 'required'> {
  readonly properties?: Readonly<Record<string, { description?: string; default?: unknown }>>
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
      .map((argument) => `\`${argument.name()}\`: ${markdownCell(argument.description)}`),
    ...(options.length > 0 ? [markdownTable(['Option', ''], options.map(optionRow))] : []),
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
  // A note stands below the examples.
  const [examples = '', note] = printed.split('\nExamples:\n')[1]?.trimEnd().split('\n\n') ?? []
  const lines = examples.replace(/^ {2}/gm, '').replace(/ {2,}(?=\S[^\n]*$)/gm, '  # ')
  return examples === ''
    ? []
    : [`\`\`\`sh\n${lines}\n\`\`\``, ...(note === undefined ? [] : [fenced(note.trim())])]
}

/** Indented lines become a block of code. */
const fenced = (note: string): string =>
  note.replace(
    /(?:^ {2}.*(?:\n|$))+/gm,
    (lines) => `\n\`\`\`\n${lines.replace(/^ {2}/gm, '').trimEnd()}\n\`\`\``,
  )

const page = (title: string, ...parts: readonly string[]): string =>
  `${[title, MADE, ...parts].join('\n\n')}\n`
