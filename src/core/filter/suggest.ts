import { GROUPS, KINDS } from '#catalog/kinds.ts'
import { text as both, filled, type Language, type Text } from '#catalog/text.ts'
import type { Level } from '#contract/delivery.ts'
import { CODES } from '../checks/codes.ts'
import en from './fields-en.json' with { type: 'json' }
import es from './fields-es.json' with { type: 'json' }
import { tokenize } from './tokens.ts'
import type { Attempted, Having, Is } from './tree.ts'
import { KIND_WILDCARDS, kindsOf, type VerdictValue } from './values.ts'

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

interface Choice {
  readonly value: string
  readonly meaning: Text
}
export interface Known {
  readonly endpoints?: readonly string[]
  readonly targets?: readonly string[]
}
interface FieldWords {
  readonly name: string
  readonly meaning: Text
  /** Values to suggest; empty when any text is allowed. */
  choices(known: Known): readonly Choice[]
}

type Words = Readonly<Record<string, string>>
interface Texts {
  /** In the order of suggestion; a name that ends in a dot takes a suffix. */
  readonly fields: Words
  readonly choices: Readonly<Record<string, Words>> & {
    readonly verdict: Readonly<Record<VerdictValue, string>>
    readonly is: Readonly<Record<Is, string>>
    readonly has: Readonly<Record<Having, string>>
    readonly attempt: Readonly<Record<Attempted, string>>
  }
  readonly levels: Readonly<Record<Level, string>>
  readonly kinds: string
  readonly endpoint: string
  readonly target: string
}
const TEXTS: Readonly<Record<Language, Texts>> = { en, es }
const inBoth = (pick: (texts: Texts) => string | undefined): Text =>
  both(pick(TEXTS.en) ?? '', pick(TEXTS.es) ?? '')

function choicesOf(name: string, { endpoints = [], targets = [] }: Known): readonly Choice[] {
  switch (name) {
    case 'kind':
      return [
        ...KIND_WILDCARDS.map((value) => ({
          value,
          meaning: inBoth(({ kinds }) => filled(kinds, { count: kindsOf(value).length })),
        })),
        ...KINDS.map(({ kind, emittedWhen }) => ({ value: kind, meaning: emittedWhen })),
      ]
    case 'group':
      return GROUPS.map((group) => ({ value: group.slug, meaning: group.name }))
    case 'endpoint':
      return endpoints.map((value) => ({ value, meaning: inBoth(({ endpoint }) => endpoint) }))
    case 'finding':
      return Object.entries(CODES).map(([value, { level }]) => ({
        value,
        meaning: inBoth(({ levels }) => levels[level]),
      }))
    default: {
      const list = name === 'received' || name === 'timestamp' ? 'time' : name
      const values = Object.keys(TEXTS.en.choices[list] ?? {})
      const named = name === 'attempt' ? targets : []
      return [
        ...values.map((value) => ({ value, meaning: inBoth(({ choices }) => choices[list]?.[value]) })),
        ...named.map((value) => ({ value, meaning: inBoth(({ target }) => target) })),
      ]
    }
  }
}

export const FIELD_WORDS: readonly FieldWords[] = Object.keys(TEXTS.en.fields).map((name) => ({
  name,
  meaning: inBoth(({ fields }) => fields[name]),
  choices: (known) => choicesOf(name, known),
}))

const wordsOf = (name: string): FieldWords | undefined =>
  FIELD_WORDS.find((known) => known.name === name.toLowerCase())
