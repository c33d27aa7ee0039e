import { type Language, type Text, text } from '#catalog/text.ts'
import type { DriftFact, Shape, ShapeType, StringFormat } from '#contract/drift.ts'

const TYPES: Readonly<Record<ShapeType, Text>> = {
  string: text('text', 'texto'),
  integer: text('integer', 'entero'),
  decimal: text('decimal', 'decimal'),
  boolean: text('true or false', 'verdadero o falso'),
  null: text('null', 'null'),
  object: text('object', 'objeto'),
  array: text('list', 'lista'),
}
const FORMATS: Readonly<Record<StringFormat, Text>> = {
  uuid: text('UUID', 'UUID'),
  instant: text('date-time with offset', 'fecha y hora con diferencia horaria'),
  'date-time': text('date-time without offset', 'fecha y hora sin diferencia horaria'),
  date: text('date', 'fecha'),
  email: text('e-mail', 'correo'),
  digits: text('digits in a text', 'dígitos en un texto'),
  money: text('amount in a text', 'importe en un texto'),
  empty: text('empty text', 'texto vacío'),
  text: text('text', 'texto'),
}

/** A type, or the format of a text, in a word or two. */
export const shapeWord = ({ type, format }: Shape, language: Language): string =>
  (format === null ? TYPES[type] : FORMATS[format])[language]

const JOINT: Readonly<Record<Language, string>> = { en: ' or ', es: ' o ' }

/** Several of them: `integer, null or list`. */
export function shapeWords(shapes: readonly Shape[], language: Language): string {
  const words = shapes.map((shape) => shapeWord(shape, language))
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')}${JOINT[language]}${words.at(-1)}`
}

/** What is different, without where and since when: `type changed: was integer, now text`. */
export function factWords({ code, was, now }: DriftFact, language: Language): string {
  const [before, after] = [shapeWords(was, language), now ? shapeWord(now, language) : '']
  const en = language === 'en'
  switch (code) {
    case 'new-field':
      return en ? `first seen here: ${after}` : `visto aquí por primera vez: ${after}`
    case 'type-changed':
      return en
        ? `type changed: was ${before}, now ${after}`
        : `cambió el tipo: era ${before}, ahora ${after}`
    case 'format-changed':
      return en
        ? `format changed: was ${before}, now ${after}`
        : `cambió el formato: era ${before}, ahora ${after}`
    case 'now-null':
      return en ? `never null until now: was ${before}` : `nunca fue null hasta ahora: era ${before}`
    case 'gone':
      return en ? 'did not come, and always had' : 'no llegó, y siempre había llegado'
  }
}
