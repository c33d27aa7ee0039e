import type { FieldSpec } from '#catalog/fields.ts'
import { KINDS, type Kind, type KindSpec } from '#catalog/kinds.ts'
import {
  dataFields,
  isDemanded,
  partsOf,
  TIMESTAMP_LENGTH,
  TIMESTAMP_PATTERN,
  UUID_PATTERN,
} from './json-schema.ts'

/** A module of Zod 4 schemas of all kinds, or of one. Objects are loose: new fields pass. */
export function zodModule(kind?: Kind): string {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  const parts = partsOf(specs).map(([name, fields]) =>
    objectOf(`export const ${name}`, fields.map(unknownMember)),
  )
  const events = specs.flatMap(eventMember)
  const used = [...parts, ...events].join('\n')
  return `// Zod schemas of the webhook events, from the catalogue of Acuse: documented rules only.
// A field of z.unknown() is one whose type is not shown; an optional field is one that may be absent.
import { z } from 'zod'

${Object.entries(RULES)
  .filter(([name]) => new RegExp(`: ${name}\\b`).test(used))
  .map(([, line]) => `${line}\n`)
  .join('')}const timestamp = z
  .string()
  .max(${TIMESTAMP_LENGTH})
  .regex(/${TIMESTAMP_PATTERN}/, 'must be an ISO 8601 date-time with UTC offset')

${parts.map((part) => `${part}\n\n`).join('')}const event = <K extends string, D extends z.ZodObject>(kind: K, data: D) =>
  z.looseObject({ Event: z.literal(kind), Timestamp: timestamp, data })

/** Body of a delivery, by kind. */
export const events = {
${events.join('\n')}
}

/** Body of a delivery. */
export const Event = z.discriminatedUnion('Event', [
${specs.map(({ kind: name }) => `  events['${name}'],`).join('\n')}
])
export type Event = z.infer<typeof Event>
`
}

/** Types of the specification, by name; a module declares those that its kinds use. */
const RULES = {
  uuid: `const uuid = z.string().regex(/${UUID_PATTERN}/, 'must be a UUID')`,
  integer: `const integer = z.number().refine(Number.isInteger, 'must be an integer')`,
}

const objectOf = (head: string, members: readonly string[]): string =>
  [`${head} = z.looseObject({`, ...members.map((line) => `  ${line}`), '})'].join('\n')

const unknownMember = ({ name }: FieldSpec): string => `${name}: z.unknown().optional(),`

const eventMember = (spec: KindSpec): readonly string[] => [
  `  '${spec.kind}': event(`,
  `    '${spec.kind}',`,
  '    z.looseObject({',
  ...dataFields(spec).map(
    (field) =>
      `      ${field.name}: ${schemaOf(field, spec)}${isDemanded(field, spec) ? '' : '.optional()'},`,
  ),
  '    }),',
  '  ),',
]

function schemaOf({ type }: FieldSpec, { statusId }: KindSpec): string {
  switch (type) {
    case 'uuid':
      return 'uuid'
    case 'integer':
      return statusId === undefined ? 'integer.nullable()' : `z.literal(${statusId})`
    case 'lines':
      return 'z.array(Line).nullable()'
    case 'accounting':
      return 'Accounting.nullable()'
    case 'unknown':
      return 'z.unknown()'
  }
}
