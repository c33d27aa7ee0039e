import type { Language } from '#catalog/text.ts'
import type { DriftProfile, ObservedField, Sighting } from '#contract/drift.ts'
import { documentedField } from './documented.ts'
import { shapeWord } from './words.ts'

const WORDS = {
  en: {
    title: 'Observed in',
    told: (n: number) => `Deliveries: ${n}`,
    note: 'What was seen in captured deliveries. The specification shows none of it; it never changes a verdict.',
    learning: 'Still learning: nothing is called new yet.',
    unrecorded: (n: number) => `Deliveries with something that found no room here: ${n}`,
    columns: ['Field', 'Documented', 'Types and formats', 'Values', 'In', 'First', 'Last'],
    yes: 'yes',
    no: 'no',
    many: 'too many to keep',
  },
  es: {
    title: 'Observado en',
    told: (n: number) => `Entregas: ${n}`,
    note: 'Lo visto en las entregas capturadas. La especificación no muestra nada de esto; nunca cambia un veredicto.',
    learning: 'Aún aprendiendo: todavía no se llama nuevo a nada.',
    unrecorded: (n: number) => `Entregas con algo que no cupo aquí: ${n}`,
    columns: ['Campo', 'Documentado', 'Tipos y formatos', 'Valores', 'En', 'Primera', 'Última'],
    yes: 'sí',
    no: 'no',
    many: 'demasiados para guardarlos',
  },
} as const

/** Profiles as a document for people, one table for each kind. Times are UTC. */
export function driftMarkdown(profiles: readonly DriftProfile[], language: Language): string {
  return `${profiles.map((profile) => section(profile, language)).join('\n\n')}\n`
}

/** The same for programs: one object for each kind, as `drift.profile` gives it. */
export const driftJson = (profiles: readonly DriftProfile[]): string =>
  `${JSON.stringify({ profiles }, null, 2)}\n`

function section(profile: DriftProfile, language: Language): string {
  const words = WORDS[language]
  const told = [words.told(profile.deliveries)]
  if (profile.firstAt !== null && profile.lastAt !== null)
    told.push(`${iso(profile.firstAt)} – ${iso(profile.lastAt)}`)
  if (profile.learning) told.push(words.learning)
  if (profile.unrecorded > 0) told.push(words.unrecorded(profile.unrecorded))
  const rows = profile.fields.map((field) => line(cells(field, profile, language)))
  return [
    `## ${words.title} ${profile.kind}`,
    '',
    words.note,
    '',
    told.join(' · '),
    '',
    line(words.columns),
    line(words.columns.map(() => '---')),
    ...rows,
  ].join('\n')
}

function cells(field: ObservedField, { kind }: DriftProfile, language: Language): readonly string[] {
  const words = WORDS[language]
  const label = documentedField(kind, field.place)?.label[language]
  const counted = (word: string, { n }: Sighting): string => (n === field.n ? word : `${word} (${n})`)
  return [
    `\`${field.place.replaceAll('`', "'")}\`${label === undefined ? '' : ` ${label}`}`,
    field.documented ? words.yes : words.no,
    field.shapes.map((shape) => counted(shapeWord(shape, language), shape)).join(', '),
    field.manyValues ? words.many : field.values.map((value) => `${value.value} (${value.n})`).join(', '),
    `${field.n} / ${field.of}`,
    iso(field.firstAt),
    iso(field.lastAt),
  ]
}

/** Names and values came from outside: nothing in them may end a cell or a line. */
const line = (texts: readonly string[]): string =>
  `| ${texts.map((one) => one.replace(/[\r\n]+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

const iso = (us: number): string => new Date(us / 1_000).toISOString()
