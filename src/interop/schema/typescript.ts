import type { FieldSpec } from '#catalog/fields.ts'
import { KINDS, type Kind, type KindSpec } from '#catalog/kinds.ts'
import { dataFields, isDemanded, partsOf, sentence } from './json-schema.ts'

/** TypeScript types of all kinds, or of one. `Event` is a union, so that comparing `Event` narrows `data`. */
export function typeScript(kind?: Kind): string {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  return `// Types of the webhook events, from the catalogue of Acuse: documented facts only.
// A field of type unknown is one whose type is not shown; an optional field is one that may be absent.

${partsOf(specs)
  .map(([name, fields]) => `${block(`interface ${name}`, fields.flatMap(unknownMember))}\n\n`)
  .join('')}/** What \`data\` holds, by kind. */
${block('interface EventData', specs.flatMap(dataMember))}

export type Kind = keyof EventData

/** The body of a delivery. New fields may be added to data, so ignore fields that you do not use. */
export type Event<K extends Kind = Kind> = {
  [P in K]: {
    Event: P
    /** ISO 8601 date-time with UTC offset */
    Timestamp: string
    data: EventData[P]
  }
}[K]
`
}

const block = (head: string, lines: readonly string[]): string =>
  [`export ${head} {`, ...lines.map((line) => `  ${line}`), '}'].join('\n')

const unknownMember = (field: FieldSpec): readonly string[] => [doc(field), `${field.name}?: unknown`]

const doc = ({ label, documentation }: FieldSpec): string =>
  `/** ${label.en}${documentation ? `: ${documentation.en}` : ''} */`

const dataMember = (spec: KindSpec): readonly string[] => [
  `/** ${sentence(`sent when ${spec.emittedWhen.en}`)} */`,
  `'${spec.kind}': {`,
  ...dataFields(spec)
    .flatMap((field) => [
      doc(field),
      `${field.name}${isDemanded(field, spec) ? '' : '?'}: ${typeOf(field, spec)}`,
    ])
    .map((line) => `  ${line}`),
  '}',
]

function typeOf({ type }: FieldSpec, { statusId }: KindSpec): string {
  switch (type) {
    case 'uuid':
      return 'string'
    case 'integer':
      return statusId === undefined ? 'number | null' : String(statusId)
    case 'lines':
      return 'Line[] | null'
    case 'accounting':
      return 'Accounting | null'
    case 'unknown':
      return 'unknown'
  }
}
