import { GROUPS, KINDS } from '#catalog/kinds.ts'
import { filled, type Language, type Text, text } from '#catalog/text.ts'
import type { Level } from '#contract/delivery.ts'
import { CODES } from '../checks/codes.ts'
import en from './fields-en.json' with { type: 'json' }
import es from './fields-es.json' with { type: 'json' }
import type { Attempted, Having, Is } from './tree.ts'
import { KIND_WILDCARDS, kindsOf, type VerdictValue } from './values.ts'

export interface Choice {
  readonly value: string
  readonly meaning: Text
}
export interface Known {
  readonly endpoints?: readonly string[]
  readonly targets?: readonly string[]
}
export interface FieldWords {
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
const both = (pick: (texts: Texts) => string | undefined): Text =>
  text(pick(TEXTS.en) ?? '', pick(TEXTS.es) ?? '')

function choicesOf(name: string, { endpoints = [], targets = [] }: Known): readonly Choice[] {
  switch (name) {
    case 'kind':
      return [
        ...KIND_WILDCARDS.map((value) => ({
          value,
          meaning: both(({ kinds }) => filled(kinds, { count: kindsOf(value).length })),
        })),
        ...KINDS.map(({ kind, emittedWhen }) => ({ value: kind, meaning: emittedWhen })),
      ]
    case 'group':
      return GROUPS.map((group) => ({ value: group.slug, meaning: group.name }))
    case 'endpoint':
      return endpoints.map((value) => ({ value, meaning: both(({ endpoint }) => endpoint) }))
    case 'finding':
      return Object.entries(CODES).map(([value, { level }]) => ({
        value,
        meaning: both(({ levels }) => levels[level]),
      }))
    default: {
      const list = name === 'received' || name === 'timestamp' ? 'time' : name
      const values = Object.keys(TEXTS.en.choices[list] ?? {})
      const named = name === 'attempt' ? targets : []
      return [
        ...values.map((value) => ({ value, meaning: both(({ choices }) => choices[list]?.[value]) })),
        ...named.map((value) => ({ value, meaning: both(({ target }) => target) })),
      ]
    }
  }
}

export const FIELD_WORDS: readonly FieldWords[] = Object.keys(TEXTS.en.fields).map((name) => ({
  name,
  meaning: both(({ fields }) => fields[name]),
  choices: (known) => choicesOf(name, known),
}))

export const wordsOf = (name: string): FieldWords | undefined =>
  FIELD_WORDS.find((known) => known.name === name.toLowerCase())
