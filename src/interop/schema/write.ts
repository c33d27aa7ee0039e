import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { GROUPS, KINDS, type Kind, type KindSpec } from '#catalog/kinds.ts'
import type { OpenApiVersion, SchemaFormat } from './formats.ts'
import {
  AS_DOCUMENTED,
  jsonSchema,
  jsonText,
  kindSchemas,
  type Schema,
  sentence,
  sharedSchemas,
  usedBy,
} from './json-schema.ts'
import { DISPATCH, openApi, TITLE } from './openapi.ts'
import { typeScript } from './typescript.ts'
import { zodModule } from './zod.ts'

/** Describes the 28 kinds, or one of them, in a format of another tool. @param openApiVersion only for OpenAPI */
export function describedKinds(
  format: SchemaFormat,
  kind?: Kind,
  openApiVersion: OpenApiVersion = '3.1',
): string {
  switch (format) {
    case 'json-schema':
      return jsonText(jsonSchema(kind))
    case 'openapi':
      return jsonText(openApi(openApiVersion, kind))
    case 'asyncapi':
      return jsonText(asyncApi(kind))
    case 'typescript':
      return typeScript(kind)
    case 'zod':
      return zodModule(kind)
    case 'markdown':
      return kindsMarkdown(kind)
  }
}

/** AsyncAPI 3.1 description of the receiver: one channel with a message per kind. */
export function asyncApi(kind?: Kind): Schema {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  const schemas = kindSchemas(specs, AS_DOCUMENTED)
  const messages = specs.map((spec) => spec.kind)
  return {
    asyncapi: '3.1.0',
    info: {
      title: TITLE,
      version: 'v1',
      description: `The receiver of the webhooks. Documented facts only. ${DISPATCH}`,
    },
    defaultContentType: 'application/json',
    channels: {
      deliveries: {
        description: 'The URL of a subscription. It is chosen in the application of the service.',
        messages: Object.fromEntries(
          messages.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receive: {
        action: 'receive',
        title: 'Receive an event',
        channel: { $ref: '#/channels/deliveries' },
        bindings: { http: { bindingVersion: '0.3.0' } },
        messages: messages.map((name) => ({ $ref: `#/channels/deliveries/messages/${name}` })),
      },
    },
    components: {
      messages: Object.fromEntries(specs.map((spec) => [spec.kind, message(spec)])),
      schemas: { ...usedBy(schemas, sharedSchemas(AS_DOCUMENTED)), ...schemas },
    },
  }
}

const message = ({ kind, group, emittedWhen }: KindSpec): Schema => ({
  name: kind,
  title: kind,
  summary: sentence(`sent when ${emittedWhen.en}`),
  contentType: 'application/json',
  tags: [{ name: group, description: GROUPS.find(({ slug }) => slug === group)?.name.en ?? group }],
  payload: { $ref: `#/components/schemas/${kind}` },
})

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
