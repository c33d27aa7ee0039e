import { dateTimeText, readTimestamp } from '#catalog/date-time.ts'
import { bad, type Refusal } from './refusal.ts'

/** A number with the digits it is written with: 1250.00 stays 1250.00 on the wire. */
class Decimal {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

/** @param units a safe integer in the smallest unit @param places how many of its digits stand behind the point */
export function decimal(units: number, places = 2): Decimal {
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const split = digits.length - places
  return new Decimal(`${units < 0 ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`)
}

/** Half away from zero, as invoices are rounded; exact, because numerator and denominator are integers. */
export function divideRounded(numerator: number, denominator: number): number {
  const rest = Math.abs(numerator) % denominator
  const whole = (Math.abs(numerator) - rest) / denominator
  return (numerator < 0 ? -1 : 1) * (whole + (rest * 2 >= denominator ? 1 : 0))
}

/** What the sandbox writes: JSON with numbers that keep their digits. */
export type Json =
  | string
  | number
  | boolean
  | null
  | Decimal
  | readonly Json[]
  | { readonly [name: string]: Json }

const refused = (what: string): Refusal => bad('not-json', `${what} cannot be written as JSON.`)

const texts = new WeakMap<object, string>()

/** Lets a value be written once however often it occurs: an event and the sync item of one document carry the same lines. It must not change any more. */
export function writtenOnce<T extends object>(value: T): T {
  texts.set(value, write(value))
  return value
}

function write(value: unknown): string {
  if (value instanceof Decimal) return value.digits
  const known = typeof value === 'object' && value !== null ? texts.get(value) : undefined
  if (known !== undefined) return known
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw refused(String(value))
      return JSON.stringify(value)
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'object': {
      if (value === null) return 'null'
      let members = ''
      for (const [name, member] of Object.entries(value))
        members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${write(member)}`
      return `{${members}}`
    }
    default:
      throw refused(`A value of type ${typeof value}`)
  }
}

/**
 * JSON text without blanks.
 * @throws Refusal (400) for what is no JSON, or is nested more deeply than can be written
 */
export function writeJson(value: unknown): string {
  try {
    return write(value)
  } catch (thrown) {
    if (thrown instanceof RangeError)
      throw bad('too-deep', 'The data is nested too deeply, or is too long, to be written.')
    throw thrown
  }
}

/** JSON text with one member a line, its numbers and strings untouched. @param text without blanks between its tokens */
export function indented(text: string): string {
  let depth = 0
  const newLine = (by: number): string => {
    depth += by
    return `\n${'  '.repeat(depth)}`
  }
  return text.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[{}[\],:]/g, (token) => {
    switch (token) {
      case '{':
      case '[':
        return token + newLine(1)
      case '}':
      case ']':
        return newLine(-1) + token
      case ',':
        return token + newLine(0)
      case ':':
        return ': '
      default:
        return token
    }
  })
}

type Container = unknown[] | Record<string, unknown>
const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof Decimal)

const copyOf = (value: Container): Container => (Array.isArray(value) ? [...value] : { ...value })

/** Sets a member as data even when it is called __proto__. */
const put = (into: Container, key: string | number, value: unknown): void => {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer))
    throw bad(
      'bad-pointer',
      `“${shown(pointer)}” is no JSON pointer: it starts with “/”, as in /data/StatusId.`,
    )
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * The value with another one at a JSON pointer (RFC 6901; `-` appends to a list); the given value is not touched.
 * @throws Refusal (400) when the pointer is none or leads nowhere
 */
export function withValueAt(root: unknown, pointer: string, value: unknown): unknown {
  const tokens = tokensOf(pointer)
  const last = tokens.pop()
  if (last === undefined) return value
  const nowhere = (): Refusal => bad('pointer-nowhere', `“${shown(pointer)}” leads nowhere in this event.`)
  if (!isContainer(root)) throw nowhere()
  const copy = copyOf(root)
  let into = copy
  for (const token of tokens) {
    const key = keyIn(into, token)
    const next = key !== undefined && Object.hasOwn(into, key) ? Reflect.get(into, key) : undefined
    if (key === undefined || !isContainer(next)) throw nowhere()
    const own = copyOf(next)
    put(into, key, own)
    into = own
  }
  const key = keyIn(into, last)
  if (key === undefined) throw nowhere()
  put(into, key, value)
  return copy
}

/** Place of a token in a list or object; undefined where a list has none. */
function keyIn(into: Container, token: string): string | number | undefined {
  if (!Array.isArray(into)) return token
  if (token === '-') return into.length
  return /^(?:0|[1-9]\d{0,8})$/.test(token) && Number(token) <= into.length ? Number(token) : undefined
}

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const OFFSET = /^([+-])(\d\d):([0-5]\d)$/

/** Minutes east of UTC; null when it is no offset. `-00:00` is none: it says "UTC", which Timestamp never is. */
export function offsetMinutes(offset: string): number | null {
  const parts = OFFSET.exec(offset)
  if (!parts || offset === '-00:00') return null
  const minutes = Number(parts[2]) * 60 + Number(parts[3])
  return minutes > 14 * 60 ? null : parts[1] === '-' ? -minutes : minutes
}

/**
 * ISO 8601 in local time with its offset, never Z, to the millisecond (Webhook envelope, Timestamp).
 * @param instant milliseconds since the epoch
 * @param offset a valid one, see offsetMinutes
 */
export const localTime = (instant: number, offset: string): string =>
  dateTimeText(instant * 1_000, offsetMinutes(offset) ?? 0, 3)

/** Milliseconds since the epoch of a date-time with offset in the years 2000 to 2099; null for anything else. */
export function readInstant(text: string): number | null {
  const read = readTimestamp(text)
  if ('problem' in read) return null
  const instant = Math.floor(read.instant / 1_000)
  return instant >= Date.UTC(2000) && instant < Date.UTC(2100) ? instant : null
}
