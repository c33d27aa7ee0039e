import type { Shape } from '#contract/drift.ts'
import { SHAPE_TYPES, STRING_FORMATS } from '#contract/values.ts'

/** Shapes by index: string formats first, in their order, then the other types. */
export const FORMS: readonly Shape[] = [
  ...STRING_FORMATS.map((format): Shape => ({ type: 'string', format })),
  ...SHAPE_TYPES.filter((type) => type !== 'string').map((type): Shape => ({ type, format: null })),
]

export const formOf = (type: string, format: string | null): number =>
  FORMS.findIndex((form) => form.type === type && form.format === format)

const named = (type: Shape['type'], format: Shape['format'] = null): number => formOf(type, format)

export const UUID = named('string', 'uuid')
export const INSTANT = named('string', 'instant')
export const DATE_TIME = named('string', 'date-time')
export const DATE = named('string', 'date')
export const EMAIL = named('string', 'email')
export const DIGITS = named('string', 'digits')
export const MONEY = named('string', 'money')
export const EMPTY = named('string', 'empty')
export const TEXT = named('string', 'text')
export const INTEGER = named('integer')
export const DECIMAL = named('decimal')
export const BOOLEAN = named('boolean')
export const NOTHING = named('null')
export const OBJECT_FORM = named('object')
export const ARRAY_FORM = named('array')

export const STRINGS = STRING_FORMATS.length

/** Whether a form is a special case of one already seen: any format among text, integers among decimals. Empty strings never are. */
export function isParticular(form: number, seen: (form: number) => boolean): boolean {
  if (form === INTEGER) return seen(DECIMAL)
  if (form >= STRINGS || form === EMPTY) return false
  return seen(TEXT) || (form === DIGITS && seen(MONEY))
}

/** Maximum length of any format but text: that of an e-mail address (RFC 5321). */
const LONGEST = 254
const UUID_LENGTH = 36

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46)

/** Reads characters in place, without substrings: it runs for every string of every event. */
export function formatOf(text: string, start: number, end: number): number {
  const length = end - start
  if (length === 0) return EMPTY
  if (length > LONGEST) return TEXT
  const first = text.charCodeAt(start)
  if (length === UUID_LENGTH && isHex(first) && isUuid(text, start)) return UUID
  if (isDigit(first)) {
    const dated = length >= 10 && isDate(text, start)
    if (dated && length === 10) return DATE
    if (dated) return timeOf(text, start + 10, end)
  }
  if (isDigit(first) || first === 0x2d || first === 0x2b || first === 0x2e) {
    const amount = amountOf(text, start, end)
    if (amount !== TEXT) return amount
  }
  return isEmail(text, start, end) ? EMAIL : TEXT
}

function isUuid(text: string, start: number): boolean {
  for (let at = 0; at < UUID_LENGTH; at++) {
    const code = text.charCodeAt(start + at)
    if (at === 8 || at === 13 || at === 18 || at === 23 ? code !== 0x2d : !isHex(code)) return false
  }
  return true
}

function isDate(text: string, start: number): boolean {
  for (let at = 0; at < 10; at++) {
    const code = text.charCodeAt(start + at)
    if (at === 4 || at === 7 ? code !== 0x2d : !isDigit(code)) return false
  }
  return true
}

/** Parses the part after a date: `T09:20`, optional seconds with a fraction, an optional offset. */
function timeOf(text: string, start: number, end: number): number {
  const between = text.charCodeAt(start)
  if (between !== 0x54 && between !== 0x74 && between !== 0x20) return TEXT
  let at = start + 1
  if (!isPair(text, at, end) || text.charCodeAt(at + 2) !== 0x3a || !isPair(text, at + 3, end)) return TEXT
  at += 5
  if (text.charCodeAt(at) === 0x3a) {
    if (!isPair(text, at + 1, end)) return TEXT
    at += 3
    if (text.charCodeAt(at) === 0x2e)
      do at++
      while (at < end && isDigit(text.charCodeAt(at)))
  }
  if (at === end) return DATE_TIME
  const zone = text.charCodeAt(at)
  if (zone === 0x5a || zone === 0x7a) return at + 1 === end ? INSTANT : TEXT
  if ((zone !== 0x2b && zone !== 0x2d) || !isPair(text, at + 1, end)) return TEXT
  at += text.charCodeAt(at + 3) === 0x3a ? 4 : 3
  return isPair(text, at, end) && at + 2 === end ? INSTANT : TEXT
}

const isPair = (text: string, at: number, end: number): boolean =>
  at + 2 <= end && isDigit(text.charCodeAt(at)) && isDigit(text.charCodeAt(at + 1))

function amountOf(text: string, start: number, end: number): number {
  let plain = true
  let digits = 0
  let points = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) digits++
    else if (code === 0x2e && points === 0) points++
    else if ((code === 0x2d || code === 0x2b) && at === start) plain = false
    else if (code === 0x2c && points === 0 && isThousands(text, at, end)) plain = false
    else return TEXT
  }
  if (digits === 0) return TEXT
  return plain && points === 0 ? DIGITS : MONEY
}

function isThousands(text: string, comma: number, end: number): boolean {
  for (let at = comma + 1; at <= comma + 3; at++) if (at >= end || !isDigit(text.charCodeAt(at))) return false
  return comma + 4 >= end || !isDigit(text.charCodeAt(comma + 4))
}

/** Recognises e-mail addresses roughly; does not validate them. */
function isEmail(text: string, start: number, end: number): boolean {
  let at = -1
  let point = -1
  for (let place = start; place < end; place++) {
    const code = text.charCodeAt(place)
    if (code <= 0x20) return false
    if (code === 0x40) {
      if (at >= 0 || place === start) return false
      at = place
    } else if (code === 0x2e && at >= 0 && place > at + 1) point = place
  }
  return point > 0 && point < end - 1
}
