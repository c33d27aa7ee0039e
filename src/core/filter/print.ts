import { OPEN } from './fields.ts'
import { typedOf } from './glob.ts'
import { printPath } from './json-path.ts'
import { FIELD, KEYWORDS, REGEX, SEARCHABLE } from './tokens.ts'
import type { Filter } from './tree.ts'
import { KIND_NAMES, kindsOf, VERDICT_VALUES, verdictsOf } from './values.ts'

const ALL = '*'
const NONE = '-*'
const BARE_VALUE = /^[^\s(),"]+$/
const BARE_WORD = /^[^\s()"-][^\s()"]*$/
const begins = (pattern: RegExp, text: string): boolean => {
  pattern.lastIndex = 0
  return pattern.test(text)
}

/**
 * Writes a filter so that parseFilter gives it back. Joints with one member or none, which no text can say, are written as what
 * they mean: `*` is everything, `-*` nothing.
 * @returns the empty text for EVERYTHING
 */
export function printFilter(filter: Filter): string {
  const text = print(filter)
  return text === ALL ? '' : text
}

function print(filter: Filter): string {
  switch (filter.type) {
    case 'and': {
      const [only, second] = filter.all
      if (!second) return only ? print(only) : ALL
      return filter.all.map((one) => (isJoint(one) ? `(${print(one)})` : print(one))).join(' ')
    }
    case 'or': {
      const [only, second] = filter.any
      if (!second) return only ? print(only) : NONE
      return filter.any.map((one) => (isJoint(one) === 'or' ? `(${print(one)})` : print(one))).join(' or ')
    }
    case 'not':
      return isJoint(filter.not) ? `-(${print(filter.not)})` : `-${print(filter.not)}`
    case 'kind':
      return list('kind', asWritten(filter.source, filter.kinds, KIND_NAMES, knownKinds))
    case 'group':
      return list('group', filter.groups)
    case 'verdict':
      return list('verdict', asWritten(filter.source, filter.verdicts, VERDICT_VALUES, verdictsOf))
    case 'doc':
      if (filter.prefix === '') return `doc:${ALL}`
      return `doc:${filter.prefix.endsWith(ALL) ? quote(filter.prefix) : value(filter.prefix)}`
    case 'endpoint':
      return list('endpoint', filter.names.map(value))
    case 'is':
      return list('is', filter.facts)
    case 'has':
      return list('has', filter.what)
    case 'tag':
      return list(
        'tag',
        filter.patterns.map((pattern) => value(pattern)),
      )
    case 'text':
      return word(filter.text, filter.exact)
    case 'amount':
    case 'time':
      return filter.source === '' ? NONE : `${filter.of}:${filter.source}`
    case 'word':
      return list(
        filter.of,
        filter.patterns.map((pattern) => value(typedOf(pattern, OPEN[filter.of]))),
      )
    case 'header':
      return list(
        `header.${filter.name}`,
        filter.patterns.map((pattern) => value(typedOf(pattern, 'both'))),
      )
    case 'finding':
      return list('finding', filter.codes.map(value))
    case 'body':
      return list('body', filter.texts.map(value))
    case 'json':
      return filter.source === '' ? NONE : `${printPath(filter.path)}:${filter.source}`
    case 'regex':
      return `/${filter.pattern}/${filter.flags}`
  }
}

/** Whether a filter, once printed, is several conditions side by side. */
function isJoint(filter: Filter): 'and' | 'or' | false {
  const members = filter.type === 'and' ? filter.all : filter.type === 'or' ? filter.any : []
  const [only, second] = members
  if (second) return filter.type === 'and' ? 'and' : 'or'
  return only ? isJoint(only) : false
}

const list = (field: string, values: readonly string[]): string =>
  values.length > 0 ? `${field}:${values.join(',')}` : NONE

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
const value = (text: string): string => (BARE_VALUE.test(text) ? text : quote(text))

function word(text: string, exact: boolean): string {
  if (!SEARCHABLE.test(text)) return ALL
  if (exact) return quote(text)
  const keyword = KEYWORDS.some((one) => one === text.toLowerCase())
  const bare = BARE_WORD.test(text) && !begins(FIELD, text) && !begins(REGEX, text) && !keyword
  return bare ? text : `${quote(text)}*`
}

const knownKinds = (typed: string) => {
  const kinds = kindsOf(typed)
  return kinds.length > 0 ? kinds : undefined
}

/** The values as they were typed where these still mean what the tree says; else the names themselves. */
function asWritten<T extends string>(
  source: string,
  values: readonly T[],
  order: readonly T[],
  meaning: (value: string) => readonly T[] | string | undefined,
): readonly string[] {
  const typed = source.split(',')
  const meant = new Set<string>()
  for (const one of typed) {
    const found = meaning(one)
    if (typeof found !== 'object') return values
    for (const name of found) meant.add(name)
  }
  const said = order.filter((name) => meant.has(name))
  return said.length === values.length && said.every((name) => values.includes(name)) ? typed : values
}
