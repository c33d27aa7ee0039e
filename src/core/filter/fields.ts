import { GROUPS, type Group, KINDS } from '#catalog/kinds.ts'
import { type Text, text } from '#catalog/text.ts'
import { VERDICTS } from '#contract/delivery.ts'
import { nearest } from './nearest.ts'
import { type Problem, problem } from './problem.ts'
import type { Value } from './tokens.ts'
import { FACTS, type Filter, type Is } from './tree.ts'
import {
  asciiLower,
  groupOf,
  KIND_NAMES,
  KIND_WILDCARDS,
  kindsOf,
  VERDICT_VALUES,
  verdictsOf,
} from './values.ts'

/** One value that a field may have, for completion. */
export interface Choice {
  readonly value: string
  readonly meaning: Text
}
/** Values that only the host knows. */
export interface Known {
  readonly endpoints?: readonly string[]
}
export interface Field {
  readonly name: string
  readonly meaning: Text
  /** A whole condition that works, for sentences. */
  readonly example: string
  /** Values worth offering; empty where any text goes. */
  choices(known: Known): readonly Choice[]
  /** Turns values, of which there is at least one and none is missing, into a condition. */
  parse(values: readonly Value[]): { readonly ok: true; readonly filter: Filter } | Problem
}

const done = (filter: Filter) => ({ ok: true, filter }) as const

/** How a value stands in the tree's `source`, so that the filter prints as it was written. */
const sourceOf = (values: readonly Value[]): string => values.map((v) => v.text.toLowerCase()).join(',')

function unknown(field: { name: string; example: string }, value: Value, names: readonly string[]): Problem {
  const meant = nearest(value.text, names)
  return problem(
    'unknown-value',
    value,
    { field: field.name, value: value.text, nearest: meant[0] ?? '', example: field.example },
    meant,
  )
}

const VERDICT_MEANINGS: Readonly<Record<(typeof VERDICT_VALUES)[number], Text>> = {
  valid: text('nothing found', 'sin hallazgos'),
  noted: text('notes only', 'solo notas'),
  warning: text('at least a warning', 'al menos una advertencia'),
  invalid: text('breaks the specification', 'incumple la especificación'),
  unreadable: text('no JSON object', 'no es un objeto JSON'),
  unjudged: text('not analysed yet', 'aún sin analizar'),
}
const FACT_MEANINGS: Readonly<Record<(typeof FACTS)[number], Text>> = {
  duplicate: text('same bytes as an earlier one', 'mismos bytes que una anterior'),
  late: text('came over 5 minutes after its Timestamp', 'llegó más de 5 minutos después de su Timestamp'),
  'out-of-order': text(
    'older than one of its document seen before',
    'anterior a otra ya vista de su documento',
  ),
  replay: text('one of our own replays come back', 'una repetición propia que volvió'),
  synthetic: text('rebuilt, never received', 'reconstruida, nunca recibida'),
  pinned: text('kept by hand', 'fijada a mano'),
  rejected: text('secret header wrong or missing', 'cabecera secreta ausente o incorrecta'),
  malformed: text('not a whole, well-formed request', 'petición incompleta o mal formada'),
}

const kind: Field = {
  name: 'kind',
  meaning: text('event kind', 'tipo de evento'),
  example: 'kind:factura.*',
  choices: () => [
    ...KIND_WILDCARDS.map((value) => ({
      value,
      meaning: text(`${kindsOf(value).length} kinds`, `${kindsOf(value).length} tipos`),
    })),
    ...KINDS.map((spec) => ({ value: spec.kind, meaning: spec.emittedWhen })),
  ],
  parse(values) {
    for (const value of values)
      if (kindsOf(value.text).length === 0) return unknown(this, value, [...KIND_NAMES, ...KIND_WILDCARDS])
    const meant = new Set(values.flatMap((value) => kindsOf(value.text)))
    return done({
      type: 'kind',
      kinds: KIND_NAMES.filter((name) => meant.has(name)),
      source: sourceOf(values),
    })
  },
}

const group: Field = {
  name: 'group',
  meaning: text('group of kinds', 'grupo de tipos'),
  example: 'group:invoices',
  choices: () => GROUPS.map(({ slug, name }) => ({ value: slug, meaning: name })),
  parse(values) {
    const groups: Group[] = []
    for (const value of values) {
      const found = groupOf(value.text)
      if (!found)
        return unknown(
          this,
          value,
          GROUPS.map(({ slug }) => slug),
        )
      groups.push(found)
    }
    return done({ type: 'group', groups: [...new Set(groups)] })
  },
}

const verdict: Field = {
  name: 'verdict',
  meaning: text('result of the checks', 'resultado de las comprobaciones'),
  example: 'verdict:>=warning',
  choices: () => [
    ...VERDICT_VALUES.map((value) => ({ value, meaning: VERDICT_MEANINGS[value] })),
    { value: '>=warning', meaning: text('warning or worse', 'advertencia o peor') },
  ],
  parse(values) {
    const meant = new Set<string>()
    for (const value of values) {
      const found = verdictsOf(value.text)
      if (found === 'incomparable')
        return problem('bad-comparison', value, { value: value.text, values: VERDICTS.join(', ') })
      if (!found) return unknown(this, value, VERDICT_VALUES)
      for (const one of found) meant.add(one)
    }
    const verdicts = VERDICT_VALUES.filter((one) => meant.has(one))
    return done({ type: 'verdict', verdicts, source: sourceOf(values) })
  },
}

const doc: Field = {
  name: 'doc',
  meaning: text('document id, or its beginning', 'id del documento, o su comienzo'),
  example: 'doc:3f2a',
  choices: () => [],
  parse(values) {
    const any = values.map(({ text: value, quoted }): Filter => {
      const prefix = quoted ? value : value.replace(/\*$/, '')
      return { type: 'doc', prefix: asciiLower(prefix.toWellFormed()) }
    })
    const [only, second] = any
    return done(only && !second ? only : { type: 'or', any })
  },
}

const endpoint: Field = {
  name: 'endpoint',
  meaning: text('endpoint it came to', 'punto de recepción'),
  example: 'endpoint:default',
  choices: ({ endpoints = [] }) =>
    endpoints.map((value) => ({ value, meaning: text('endpoint', 'punto de recepción') })),
  parse: (values) =>
    done({ type: 'endpoint', names: [...new Set(values.map((v) => asciiLower(v.text.toWellFormed())))] }),
}

const is: Field = {
  name: 'is',
  meaning: text('a fact about it', 'un hecho sobre ella'),
  example: 'is:duplicate',
  choices: () => FACTS.map((value) => ({ value, meaning: FACT_MEANINGS[value] })),
  parse(values) {
    const facts: Is[] = []
    for (const value of values) {
      const found = FACTS.find((fact) => fact === value.text.toLowerCase())
      if (!found) return unknown(this, value, FACTS)
      facts.push(found)
    }
    return done({ type: 'is', facts: [...new Set(facts)] })
  },
}

/** Every field of the language; a new one is an entry here and a case in print.ts, matches.ts and storage's filter-sql.ts. */
export const FIELDS: readonly Field[] = [kind, group, verdict, doc, endpoint, is]

/** The field of that name, ignoring case. */
export const fieldNamed = (name: string): Field | undefined =>
  FIELDS.find((field) => field.name === name.toLowerCase())
