import { GROUPS } from '#catalog/kinds.ts'
import { sameTag } from '#contract/tags.ts'
import { VERDICTS } from '#contract/values.ts'
import { compareDecimals, parseDecimal } from '../json/decimal.ts'
import { type Problem, problem } from './problem.ts'
import { isReversedTime, type Moment, rangeOf, spanOf } from './spans.ts'
import type { Value } from './tokens.ts'
import {
  type Amount,
  ATTEMPTED,
  type Attempted,
  COMPARISONS,
  FACTS,
  type Filter,
  HAVINGS,
  type JsonStep,
  type JsonTest,
  type Range,
  type Word,
} from './tree.ts'
import {
  asciiLower,
  folded,
  groupOf,
  KIND_NAMES,
  KIND_WILDCARDS,
  kindsOf,
  patternOf,
  VERDICT_VALUES,
  verdictsOf,
} from './values.ts'

export type { Moment } from './spans.ts'

export interface Written {
  /** The field name as typed, including what follows `header.` or `$`. */
  readonly name: string
  readonly start: number
  readonly moment: Moment
}
export interface Field {
  readonly name: string
  readonly example: string
  label(typed?: string): string
  /** Converts values into a condition. There is at least one value, and none is empty. */
  parse(values: readonly Value[], written: Written): { readonly ok: true; readonly filter: Filter } | Problem
}

const done = (filter: Filter) => ({ ok: true, filter }) as const

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const field = (name: string, example: string, parse: Field['parse']): Field => ({
  name,
  example,
  label: () => name,
  parse,
})

function unknown(name: string, example: string, value: Value, names: readonly string[]): Problem {
  const meant = nearest(value.text, names)
  const params = { field: name, value: value.text, nearest: meant[0] ?? '', example }
  return problem('unknown-value', value, params, meant)
}

const kind = field('kind', 'kind:factura.*', (values) => {
  for (const value of values)
    if (kindsOf(value.text).length === 0)
      return unknown('kind', 'kind:factura.*', value, [...KIND_NAMES, ...KIND_WILDCARDS])
  const meant = new Set(values.flatMap((value) => kindsOf(value.text)))
  return done({ type: 'kind', kinds: KIND_NAMES.filter((name) => meant.has(name)) })
})

const chosen = <T extends string>(
  name: string,
  example: string,
  names: readonly string[],
  find: (text: string) => T | undefined,
  filter: (found: readonly T[]) => Filter,
): Field =>
  field(name, example, (values) => {
    const found: T[] = []
    for (const value of values) {
      const one = find(value.text)
      if (!one) return unknown(name, example, value, names)
      found.push(one)
    }
    return done(filter(unique(found)))
  })

const among =
  <T extends string>(names: readonly T[]) =>
  (text: string): T | undefined =>
    names.find((name) => name === text.toLowerCase())

const slugs = GROUPS.map(({ slug }) => slug)
const group = chosen('group', 'group:invoices', slugs, groupOf, (groups) => ({ type: 'group', groups }))

const verdict = field('verdict', 'verdict:>=warning', (values) => {
  const meant = new Set<string>()
  for (const value of values) {
    const found = verdictsOf(value.text)
    if (found === 'incomparable')
      return problem('bad-comparison', value, { value: value.text, values: VERDICTS.join(', ') })
    if (!found) return unknown('verdict', 'verdict:>=warning', value, VERDICT_VALUES)
    for (const one of found) meant.add(one)
  }
  const verdicts = VERDICT_VALUES.filter((one) => meant.has(one))
  return done({ type: 'verdict', verdicts })
})

const doc = field('doc', 'doc:3f2a', (values) => {
  const any = values.map(({ text: value, quoted }): Filter => {
    const prefix = quoted ? value : value.replace(/\*$/, '')
    return { type: 'doc', prefix: asciiLower(prefix.toWellFormed()) }
  })
  const [only, second] = any
  return done(only && !second ? only : { type: 'or', any })
})

const endpoint = field('endpoint', 'endpoint:default', (values) =>
  done({ type: 'endpoint', names: unique(values.map((v) => asciiLower(v.text.toWellFormed()))) }),
)

const is = chosen('is', 'is:duplicate', FACTS, among(FACTS), (facts) => ({ type: 'is', facts }))
const has = chosen('has', 'has:note', HAVINGS, among(HAVINGS), (what) => ({ type: 'has', what }))

const tag = field('tag', 'tag:urgent', (values) =>
  done({ type: 'tag', patterns: unique(values.map((v) => patternOf(sameTag(v.text), 'none'))) }),
)

/** Where a pattern may match further text besides the typed one. */
const OPEN: Readonly<Record<Word, 'none' | 'end' | 'both'>> = {
  number: 'end',
  party: 'both',
  method: 'none',
}

const word = (name: Word, example: string): Field =>
  field(name, example, (values) =>
    done({
      type: 'word',
      of: name,
      patterns: unique(
        values.map((v) => patternOf(name === 'party' ? folded(v.text) : asciiLower(v.text), OPEN[name])),
      ),
    }),
  )

function reversed(value: Value): Problem {
  const [from = '', to = ''] = value.text.split('..')
  const turned = `${to}..${from}`
  return problem('reversed-range', value, { value: value.text, turned }, [turned])
}

const amount = (name: Amount, example: string): Field =>
  field(name, example, (values) => {
    const ranges: Range[] = []
    let none = false
    for (const value of values) {
      const range = rangeOf(name, value.text)
      if (range === 'reversed') return reversed(value)
      if (range) ranges.push(range)
      else if (value.text.toLowerCase() === 'none') none = true
      else return problem('bad-amount', value, { field: name, value: value.text, example })
    }
    return done({ type: 'amount', of: name, ranges, none })
  })

const outcomeOf = among(ATTEMPTED)
const attempt = field('attempt', 'attempt:failed', (values) => {
  const outcomes: Attempted[] = []
  const statuses: Range[] = []
  const targets: string[] = []
  for (const value of values) {
    const outcome = value.quoted ? undefined : outcomeOf(value.text)
    const range = value.quoted ? undefined : rangeOf('answer', value.text)
    if (range === 'reversed') return reversed(value)
    if (outcome) outcomes.push(outcome)
    else if (range) statuses.push(range)
    else targets.push(patternOf(asciiLower(value.text.toWellFormed()), 'none'))
  }
  return done({ type: 'attempt', outcomes: unique(outcomes), statuses, targets: unique(targets) })
})

const time = (name: 'received' | 'timestamp'): Field =>
  field(name, `${name}:today`, (values, { moment }) => {
    const spans: Range[] = []
    for (const value of values) {
      const span = spanOf(value.text, moment)
      if (!span) return problem('bad-time', value, { field: name, value: value.text })
      if (isReversedTime(value.text, span)) return reversed(value)
      spans.push(span)
    }
    return done({ type: 'time', of: name, spans })
  })

const finding = field('finding', 'finding:field-absent', (values) =>
  done({ type: 'finding', codes: unique(values.map((v) => patternOf(asciiLower(v.text), 'none'))) }),
)

const body = field('body', 'body:"some text"', (values) =>
  done({ type: 'body', texts: unique(values.map((v) => v.text.toWellFormed().toLowerCase())) }),
)

const HEADER = 'header.'
const header: Field = {
  name: HEADER,
  example: 'header.user-agent:curl',
  label: (typed = `${HEADER}name`) => typed,
  parse(values, { name, start }) {
    const wanted = name.slice(HEADER.length).toLowerCase()
    if (wanted === '')
      return problem('missing-header', { start, end: start + name.length }, { example: this.example })
    const patterns = unique(values.map((v) => patternOf(asciiLower(v.text), 'both')))
    return done({ type: 'header', name: wanted, patterns })
  },
}

const path: Field = {
  name: '$',
  example: '$.data.DocumentId:*',
  label: (typed = '$.path') => typed,
  parse(values, { name, start }) {
    const steps = readPath(name)
    if (!steps || steps.length === 0)
      return problem('bad-path', { start, end: start + name.length }, { example: this.example })
    const tests = values.map(readTest)
    const wrong = values[tests.findIndex(isReversed)]
    if (wrong) return reversed(wrong)
    return done({ type: 'json', path: steps, tests })
  },
}

/** All fields of the language. CONTRIBUTING.md explains how to add one. */
export const FIELDS: readonly Field[] = [
  kind,
  group,
  verdict,
  doc,
  word('number', 'number:E31*'),
  word('party', 'party:"Juan Pérez"'),
  amount('status', 'status:5'),
  endpoint,
  word('method', 'method:POST'),
  amount('answer', 'answer:4xx'),
  amount('size', 'size:>10kb'),
  amount('took', 'took:>50ms'),
  amount('id', 'id:1200..1300'),
  time('received'),
  time('timestamp'),
  is,
  has,
  attempt,
  tag,
  finding,
  header,
  body,
  path,
]

/** Finds a field by its typed name; `header.` and `$` are prefixes. */
export function fieldNamed(name: string): Field | undefined {
  if (name.startsWith('$')) return path
  const wanted = name.toLowerCase()
  if (wanted.startsWith(HEADER)) return header
  return FIELDS.find((known) => known.name === wanted)
}

const STEP = /\.([\p{L}\p{N}_$-]+)|\[(?:(\d{1,9})|(\*)|"((?:[^"\\]|\\[\s\S])*)")\]/uy
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Limits the recursion of functions that follow a path. */
const MOST_STEPS = 50

/** @param text such as `$.data.Lines[*].Code`, as matched by the tokenizer. @returns undefined when it has too many steps */
function readPath(text: string): JsonStep[] | undefined {
  const steps: JsonStep[] = []
  STEP.lastIndex = 1
  for (let found = STEP.exec(text); found; found = STEP.exec(text)) {
    const [, member, index, every, quoted] = found
    if (member !== undefined) steps.push({ member })
    else if (index !== undefined) steps.push({ index: Number(index) })
    else if (every !== undefined) steps.push({ every: true })
    else steps.push({ member: (quoted ?? '').replace(/\\(["\\])/g, '$1').toWellFormed() })
    if (steps.length > MOST_STEPS) return undefined
  }
  return steps
}

/** Parses one value of a path condition; a quoted value is always text. */
export function readTest({ text, quoted }: Value): JsonTest {
  if (quoted) return { test: 'like', pattern: patternOf(text, 'none') }
  if (text === '*') return { test: 'present' }
  const compare = COMPARISONS.find((sign) => text.startsWith(sign))
  if (compare) {
    const rest = text.slice(compare.length)
    if (NUMBER.test(rest)) return { test: 'number', compare, number: rest }
    return { test: 'order', compare, text: rest.toWellFormed() }
  }
  if (text === 'true' || text === 'false' || text === 'null') return { test: 'literal', literal: text }
  if (NUMBER.test(text)) return { test: 'number', compare: '=', number: text }
  const dots = text.indexOf('..')
  const [from, to] = [text.slice(0, dots), text.slice(dots + 2)]
  if (dots >= 0 && (from === '' || NUMBER.test(from)) && (to === '' || NUMBER.test(to))) {
    if (from !== '' && to !== '') return { test: 'between', from, to }
    if (from !== '') return { test: 'number', compare: '>=', number: from }
    if (to !== '') return { test: 'number', compare: '<=', number: to }
  }
  return { test: 'like', pattern: patternOf(text, 'none') }
}

function isReversed(test: JsonTest): boolean {
  if (test.test !== 'between') return false
  const [from, to] = [parseDecimal(test.from), parseDecimal(test.to)]
  return from !== undefined && to !== undefined && compareDecimals(from, to) > 0
}

/** Longer names are compared by this prefix only, so that suggestions stay cheap. */
const COMPARED = 40

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}

/** Up to three suggestions, best first: names that start with the typed text, contain it, or differ from it in a third of its letters. */
export function nearest(typed: string, names: readonly string[]): string[] {
  const word = typed.toLowerCase().slice(0, COMPARED)
  if (word === '') return []
  const scored = names.map((name, order) => {
    const lower = name.toLowerCase()
    const score = lower.startsWith(word)
      ? 0
      : lower.includes(word)
        ? 1
        : 1 + distance(word, lower.slice(0, COMPARED))
    return { name, score, order }
  })
  return scored
    .filter(({ score }) => score <= 1 + Math.max(1, word.length / 3))
    .sort((a, b) => a.score - b.score || a.order - b.order)
    .slice(0, 3)
    .map(({ name }) => name)
}
