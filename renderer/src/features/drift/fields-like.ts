import type { Language } from '#catalog/text.ts'
import type { DriftProfile, ObservedField } from '#contract/drift.ts'
import { documentedField } from '#core/drift/documented.ts'
import { shapeWord } from '#core/drift/words.ts'
import { folded } from '#core/filter/glob.ts'

/** Fields of which all the words are found in name, label, types, formats or values. Accents and case do not count. */
export function fieldsLike(
  { kind, fields }: DriftProfile,
  search: string,
  language: Language,
): readonly ObservedField[] {
  const words = folded(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return fields
  return fields.filter(({ place, shapes, values }) => {
    const label = documentedField(kind, place)?.label[language] ?? ''
    const text = folded(
      [
        place,
        label,
        ...shapes.flatMap((shape) => [shapeWord(shape, language), shape.type, shape.format ?? '']),
        ...values.map(({ value }) => value),
      ].join('\n'),
    )
    return words.every((word) => text.includes(word))
  })
}
