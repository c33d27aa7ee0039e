import { filled, type Language } from '#catalog/text.ts'
import type { DriftFact, DriftProfile, ObservedField, Shape, Sighting } from '#contract/drift.ts'
import { documentedField } from './documented.ts'
import en from './words-en.json' with { type: 'json' }
import es from './words-es.json' with { type: 'json' }

/** Times are UTC. */
export function driftMarkdown(profiles: readonly DriftProfile[], language: Language): string {
  return `${profiles.map((profile) => section(profile, language)).join('\n\n')}\n`
}

export const driftJson = (profiles: readonly DriftProfile[]): string =>
  `${JSON.stringify({ profiles }, null, 2)}\n`

function section(profile: DriftProfile, language: Language): string {
  const words = WORDS[language].report
  const told = [filled(words.told, { n: profile.deliveries })]
  if (profile.firstAt !== null && profile.lastAt !== null)
    told.push(`${iso(profile.firstAt)} – ${iso(profile.lastAt)}`)
  if (profile.learning) told.push(words.learning)
  if (profile.unrecorded > 0) told.push(filled(words.unrecorded, { n: profile.unrecorded }))
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
  const words = WORDS[language].report
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

/** Names and values are untrusted: none may end a cell or a line. */
const line = (texts: readonly string[]): string =>
  `| ${texts.map((one) => one.replace(/[\r\n]+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

const iso = (us: number): string => new Date(us / 1_000).toISOString()

const WORDS: Readonly<Record<Language, typeof en>> = { en, es }

export const shapeWord = ({ type, format }: Shape, language: Language): string =>
  format === null ? WORDS[language].types[type] : WORDS[language].formats[format]

/** Joins several: `integer, null or list`. */
function shapeWords(shapes: readonly Shape[], language: Language): string {
  const words = shapes.map((shape) => shapeWord(shape, language))
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')}${WORDS[language].joint}${words.at(-1)}`
}

/** A sentence part such as `type changed: was integer, now text`. */
export const factWords = ({ code, was, now }: DriftFact, language: Language): string =>
  filled(WORDS[language].facts[code], {
    before: shapeWords(was, language),
    after: now ? shapeWord(now, language) : '',
  })
