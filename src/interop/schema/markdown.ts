import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { GROUPS, KINDS, type Kind } from '#catalog/kinds.ts'

/** Reference of all kinds and their fields, or of one kind. @param note printed below the title */
export function kindsMarkdown(kind?: Kind, note?: string): string {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  const used = new Set(specs.flatMap(({ fields }) => fields))
  const groups = GROUPS.map(({ slug, name }) => ({
    name,
    specs: specs.filter(({ group }) => group === slug),
  }))
  const parts = [
    kind === undefined ? '# Events' : `# ${kind}`,
    ...(note === undefined ? [] : [note]),
    ...(kind === undefined ? ['The 28 kinds in 8 groups.'] : []),
    '## Kinds',
    ...groups
      .filter((one) => one.specs.length > 0)
      .flatMap(({ name, specs: some }) => [
        `### ${name.en}`,
        markdownTable(
          ['Kind', 'Emitted when', 'Fields of `data`'],
          some.map(({ kind: named, emittedWhen, fields }) => [
            `\`${named}\``,
            emittedWhen.en,
            fields.map((field) => `\`${field}\``).join(' '),
          ]),
        ),
      ]),
    '## Fields',
    'A field without a type has none that the specification shows: no value of it is wrong.',
    '### Envelope',
    fieldTable([...ENVELOPE_FIELDS.values()]),
    '### data',
    fieldTable([...DATA_FIELDS.values()].filter(({ name }) => used.has(name))),
    ...(used.has('Lines') ? ['### Item of Lines', fieldTable([...LINE_FIELDS.values()])] : []),
    ...(used.has('Accounting') ? ['### Accounting', fieldTable([...ACCOUNTING_FIELDS.values()])] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

const fieldTable = (fields: readonly FieldSpec[]): string =>
  markdownTable(
    ['Field', 'English', 'Spanish', 'Type', 'The specification says'],
    fields.map(({ name, label, type, documentation }) => [
      `\`${name}\``,
      label.en,
      label.es,
      type === 'unknown' ? '' : type,
      documentation?.en ?? '',
    ]),
  )

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Escapes "|", and "<" outside of backticks, where Markdown would read it as a tag. */
export const markdownCell = (cell: string): string => {
  const row = cell.replaceAll('|', '\\|')
  return row.startsWith('`') ? row : row.replaceAll('<', '&lt;')
}
