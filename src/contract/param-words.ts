import type { z } from 'zod'

type Raw = z.core.$ZodRawIssue
type Issue = z.core.$ZodIssue

/** Marks a failed union: `meant` replaces it with the error of the closest alternative, which says more. */
const NONE_OF_THEM = 'none of the forms it may have'

/** Path of a wrong parameter, with a sentence that says what is wrong and what to give instead. */
export interface Wrong {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The first problem found by a check that used `paramWords`. */
export function firstWrong({ issues: [first] }: z.ZodError): Wrong {
  const { path, message } = first ? meant(first) : { path: [], message: 'is not understood' }
  return { path, message: /[.!?]$/.test(message) ? message : `${message}.` }
}

/** Error map for Zod, whose own messages do not say what to do. Never repeats the input, which may be a secret. */
export function paramWords(issue: Raw): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; give ${a(issue.expected)}`
        : `must be ${a(issue.expected)}; give that instead`
    case 'invalid_value':
      return issue.input === undefined
        ? `is missing; give ${listed(issue.values)}`
        : `is none of its values; give ${listed(issue.values)}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big': {
      const { big, units } = SIZED[sized(issue.origin)]
      return `${big}; give ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${units}`
    }
    case 'invalid_format':
      return `is not written as ${FORMATS[issue.format] ?? issue.format}; correct it`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}; give one`
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(', ')} is not known here; leave it out`
    case 'invalid_union':
      if (issue.errors.length > 0) return NONE_OF_THEM
      return `${issue.discriminator ?? 'value'} is none of its values; give ${listed(optionsOf(issue))}`
    case 'invalid_key':
    case 'invalid_element':
      return 'holds something that is not allowed there; leave it out'
    default:
      return 'is not allowed; correct it'
  }
}

function tooSmall({ origin, minimum, inclusive }: Extract<Raw, { code: 'too_small' }>): string {
  const { one, small, units } = SIZED[sized(origin)]
  if (minimum === 1 && inclusive && one) return `must not be empty; give at least one ${one}`
  return `${small}; give ${inclusive ? '' : 'more than '}${minimum}${units}${inclusive ? ' or more' : ''}`
}

/** Picks the union alternative that the caller probably meant: the one whose error lies deepest. */
function meant(issue: Issue): Wrong {
  if (issue.code !== 'invalid_union' || issue.message !== NONE_OF_THEM) return issue
  const candidates = issue.errors.flatMap(([first]) => (first ? [meant(first)] : []))
  const [best] = candidates.toSorted((a, b) => b.path.length - a.path.length)
  return { path: [...issue.path, ...(best?.path ?? [])], message: best?.message ?? NONE_OF_THEM }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const a = (expected: string): string => TYPES[expected] ?? expected

const FORMATS: Readonly<Record<string, string>> = {
  base64: 'base64',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'an ISO 8601 date and time',
  date: 'an ISO 8601 date',
  safeint: 'a whole number',
  regex: 'it has to be',
}

function optionsOf(issue: Extract<Raw, { code: 'invalid_union' }>): readonly unknown[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options : []
}

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(values.length === 2 ? ' or ' : ', ')

type Sized = 'text' | 'list' | 'number'
const sized = (origin: string): Sized =>
  origin === 'string' ? 'text' : ['array', 'set', 'map', 'record'].includes(origin) ? 'list' : 'number'
const SIZED: Readonly<Record<Sized, Readonly<Record<'units' | 'one' | 'small' | 'big', string>>>> = {
  text: { units: ' characters', one: 'character', small: 'is too short', big: 'is too long' },
  list: { units: ' entries', one: 'entry', small: 'has too few entries', big: 'has too many entries' },
  number: { units: '', one: '', small: 'is too small', big: 'is too large' },
}
