import { text as both, type Text } from '#catalog/text.ts'
import { FIELD_WORDS, type Known, wordsOf } from './field-words.ts'
import { tokenize } from './tokens.ts'

export interface Suggestion {
  readonly insert: string
  readonly meaning: Text
}
export interface Suggestions {
  readonly from: number
  readonly to: number
  readonly items: readonly Suggestion[]
  readonly field?: string
}

const MOST = 50
const MOST_CROSS = 8
/** Maximum characters of the condition before the cursor: longer ones are not worth completing, and TYPING must stay fast. */
const LOOKED_BACK = 300
/** Matches the condition at the cursor: negations, `field:` with earlier values, and the part being typed. */
const TYPING = /-*(?:([A-Za-z][\w.-]*|\$[\w.$-]*):(?:[^\s(),"]*,)*)?([^\s(),"]*)$/
const REST = /^[^\s(),"]*/

function rank<T>(all: readonly T[], typed: string, name: (one: T) => string): T[] {
  const wanted = typed.toLowerCase()
  const begins = all.filter((one) => name(one).toLowerCase().startsWith(wanted))
  const holds = all.filter((one) => name(one).toLowerCase().indexOf(wanted) > 0)
  return [...begins, ...holds]
}

/** Suggests values after `field:`, else fields and conditions whose value starts with the typed word; nothing inside quotes. */
export function suggest(text: string, cursor: number, known: Known = {}): Suggestions {
  const before = text.slice(0, cursor)
  const none = { from: cursor, to: cursor, items: [] }
  if (!tokenize(before).ok) return none
  const [, name, typed = ''] = TYPING.exec(before.slice(-LOOKED_BACK)) ?? []
  const from = cursor - typed.length
  const to = cursor + (REST.exec(text.slice(cursor))?.[0].length ?? 0)

  if (name !== undefined) {
    const choices = wordsOf(name)?.choices(known) ?? []
    const items = rank(choices, typed, (choice) => choice.value)
      .slice(0, MOST)
      .map(({ value, meaning }) => ({ insert: value, meaning }))
    return { from, to, items, field: name.toLowerCase() }
  }
  const fields = rank(FIELD_WORDS, typed, (field) => field.name).map((field) => ({
    insert: field.name.endsWith('.') ? field.name : `${field.name}:`,
    meaning: field.meaning,
  }))
  if (typed.length < 2)
    return { from, to, items: typed === '' && from > 0 && text[from - 1] === '"' ? [] : fields }
  const conditions = FIELD_WORDS.flatMap((field) =>
    field
      .choices(known)
      .filter(({ value }) => value.startsWith(typed.toLowerCase()))
      .map(({ value, meaning }) => ({
        insert: `${field.name}:${value}`,
        meaning: both(`${field.meaning.en}: ${meaning.en}`, `${field.meaning.es}: ${meaning.es}`),
      })),
  )
  return { from, to, items: [...fields, ...conditions.slice(0, MOST_CROSS)] }
}
