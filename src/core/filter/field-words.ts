import { GROUPS, KINDS } from '#catalog/kinds.ts'
import { type Text, text } from '#catalog/text.ts'
import type { Level } from '#contract/delivery.ts'
import { CODES } from '../checks/codes.ts'
import { FACTS, type Is } from './tree.ts'
import { KIND_WILDCARDS, kindsOf, VERDICT_VALUES, type VerdictValue } from './values.ts'

/** One value that a field may have, for completion. */
export interface Choice {
  readonly value: string
  readonly meaning: Text
}
/** Values that only the host knows. */
export interface Known {
  readonly endpoints?: readonly string[]
}
/** What completions say of a field. */
export interface FieldWords {
  readonly name: string
  readonly meaning: Text
  /** Values worth offering; empty where any text goes. */
  choices(known: Known): readonly Choice[]
}

const VERDICT_MEANINGS: Readonly<Record<VerdictValue, Text>> = {
  valid: text('nothing found', 'sin hallazgos'),
  noted: text('notes only', 'solo notas'),
  warning: text('at least a warning', 'al menos una advertencia'),
  invalid: text('breaks the specification', 'incumple la especificación'),
  unreadable: text('no JSON object', 'no es un objeto JSON'),
  unjudged: text('not analysed yet', 'aún sin analizar'),
}
const FACT_MEANINGS: Readonly<Record<Is, Text>> = {
  duplicate: text('same bytes as an earlier one', 'mismos bytes que una anterior'),
  late: text('came over 5 minutes after its Timestamp', 'llegó más de 5 minutos después de su Timestamp'),
  'out-of-order': text(
    'older than one of its document seen before',
    'anterior a otra ya vista de su documento',
  ),
  replay: text('one of our own replays come back', 'una repetición propia que volvió'),
  synthetic: text('rebuilt, never received', 'reconstruida, nunca recibida'),
  drift: text('showed something never seen before', 'mostró algo nunca visto antes'),
  replayed: text('sent to a target at least once', 'enviada a un destino al menos una vez'),
  missed: text(
    'of a document of which the latest sweep missed an event',
    'de un documento del que el último barrido echó en falta un evento',
  ),
  pinned: text('kept by hand', 'fijada a mano'),
  rejected: text('secret header wrong or missing', 'cabecera secreta ausente o incorrecta'),
  malformed: text('not a whole, well-formed request', 'petición incompleta o mal formada'),
}

const LEVEL_WORDS: Readonly<Record<Level, Text>> = {
  note: text('note', 'nota'),
  warning: text('warning', 'advertencia'),
  error: text('error', 'error'),
  unreadable: text('unreadable', 'ilegible'),
}

const none = (): readonly Choice[] => []
const some =
  (...choices: readonly (readonly [value: string, en: string, es: string])[]) =>
  (): readonly Choice[] =>
    choices.map(([value, en, es]) => ({ value, meaning: text(en, es) }))
const times = some(
  ['today', 'since midnight', 'desde medianoche'],
  ['yesterday', 'the day before', 'el día anterior'],
  ['last-7d', 'today and the six days before', 'hoy y los seis días anteriores'],
  ['last-1h', 'the last hour', 'la última hora'],
  ['last-15m', 'the last 15 minutes', 'los últimos 15 minutos'],
)
const field = (name: string, en: string, es: string, choices: FieldWords['choices'] = none): FieldWords => ({
  name,
  meaning: text(en, es),
  choices,
})

/** The fields in the order in which they are offered; those that go on behind a dot have it in their name. */
export const FIELD_WORDS: readonly FieldWords[] = [
  field('kind', 'event kind', 'tipo de evento', () => [
    ...KIND_WILDCARDS.map((value) => ({
      value,
      meaning: text(`${kindsOf(value).length} kinds`, `${kindsOf(value).length} tipos`),
    })),
    ...KINDS.map((spec) => ({ value: spec.kind, meaning: spec.emittedWhen })),
  ]),
  field('group', 'group of kinds', 'grupo de tipos', () =>
    GROUPS.map(({ slug, name }) => ({ value: slug, meaning: name })),
  ),
  field('verdict', 'result of the checks', 'resultado de las comprobaciones', () => [
    ...VERDICT_VALUES.map((value) => ({ value, meaning: VERDICT_MEANINGS[value] })),
    { value: '>=warning', meaning: text('warning or worse', 'advertencia o peor') },
  ]),
  field('doc', 'document id, or its beginning', 'id del documento, o su comienzo'),
  field('number', 'document number, or its beginning', 'número del documento, o su comienzo'),
  field(
    'party',
    'part of a name or tax id of customer or supplier',
    'parte del nombre o RNC del cliente o suplidor',
  ),
  field(
    'status',
    'StatusId of the document',
    'StatusId del documento',
    some(['none', 'no StatusId', 'sin StatusId']),
  ),
  field('endpoint', 'endpoint it came to', 'punto de recepción', ({ endpoints = [] }) =>
    endpoints.map((value) => ({ value, meaning: text('endpoint', 'punto de recepción') })),
  ),
  field(
    'method',
    'HTTP method',
    'método HTTP',
    some(
      ['POST', 'documented', 'documentado'],
      ['PUT', 'documented', 'documentado'],
      ['GET', 'documented', 'documentado'],
    ),
  ),
  field(
    'answer',
    'status that was answered',
    'estado con que se respondió',
    some(
      ['2xx', 'taken', 'aceptada'],
      ['4xx', 'refused', 'rechazada'],
      ['5xx', 'failed', 'fallida'],
      ['none', 'nothing could be answered', 'no se pudo responder'],
    ),
  ),
  field(
    'size',
    'bytes of the body',
    'bytes del cuerpo',
    some(['>10kb', 'over 10 kB', 'más de 10 kB'], ['>1mb', 'over 1 MB', 'más de 1 MB']),
  ),
  field(
    'took',
    'time until the answer',
    'tiempo hasta la respuesta',
    some(['>50ms', 'over 50 ms', 'más de 50 ms'], ['>1s', 'over a second', 'más de un segundo']),
  ),
  field('received', 'when it arrived', 'cuándo llegó', times),
  field('timestamp', 'when it happened (Timestamp)', 'cuándo ocurrió (Timestamp)', times),
  field('is', 'a fact about it', 'un hecho sobre ella', () =>
    FACTS.map((value) => ({ value, meaning: FACT_MEANINGS[value] })),
  ),
  field(
    'has',
    'what belongs to it',
    'lo que tiene',
    some(
      ['attempt', 'sent to a target', 'enviada a un destino'],
      ['note', 'a user wrote a note', 'alguien le escribió una nota'],
      ['tag', 'it has a tag', 'tiene alguna etiqueta'],
    ),
  ),
  field('tag', 'a tag, or its beginning and *', 'una etiqueta, o su comienzo y *'),
  field('finding', 'code of a finding', 'código de un hallazgo', () =>
    Object.entries(CODES).map(([value, { level }]) => ({ value, meaning: LEVEL_WORDS[level] })),
  ),
  field('header.', 'value of a header', 'valor de una cabecera'),
  field('body', 'text anywhere in the body', 'texto en cualquier parte del cuerpo'),
  field('$.data.', 'value in the body, by its path', 'valor del cuerpo, por su ruta'),
]

export const wordsOf = (name: string): FieldWords | undefined =>
  FIELD_WORDS.find((known) => known.name === name.toLowerCase())
