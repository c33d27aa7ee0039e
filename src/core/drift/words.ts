import { filled, type Language } from '#catalog/text.ts'
import type { DriftFact, Shape } from '#contract/drift.ts'
import en from './words-en.json' with { type: 'json' }
import es from './words-es.json' with { type: 'json' }

export const WORDS: Readonly<Record<Language, typeof en>> = { en, es }

export const shapeWord = ({ type, format }: Shape, language: Language): string =>
  format === null ? WORDS[language].types[type] : WORDS[language].formats[format]

/** Joins several: `integer, null or list`. */
export function shapeWords(shapes: readonly Shape[], language: Language): string {
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
