import { dateTimeText, readTimestamp } from '#catalog/date-time.ts'
import { bad, type Refusal } from './refusal.ts'

declare global {
  /** Functions of Node's JSON that TypeScript's libraries lack. */
  interface JSON {
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): boolean
  }
}
interface RawJson {
  readonly rawJSON: string
}
/** JSON whose numbers may keep their digits as `RawJson`. */
export type Json =
  | string
  | number
  | boolean
  | null
  | RawJson
  | readonly Json[]
  | { readonly [name: string]: Json }

/** Writes a fixed-point number, such as 1250.00. @param units a safe integer, whose last `places` digits are decimals */
export function decimal(units: number, places = 2): RawJson {
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const split = digits.length - places
  return JSON.rawJSON(`${units < 0 ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`)
}

export const readExactly = (json: string) =>
  JSON.parse(json, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  ) as Readonly<Record<string, unknown>>

/** Divides and rounds half away from zero, as invoices do; exact, since both operands are integers. */
export function divideRounded(numerator: number, denominator: number): number {
  const rest = Math.abs(numerator) % denominator
  const whole = (Math.abs(numerator) - rest) / denominator
  return (numerator < 0 ? -1 : 1) * (whole + (rest * 2 >= denominator ? 1 : 0))
}

/** @throws Refusal (400) for NaN or an infinite number, and for a value nested too deeply */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value, finite)
  } catch (thrown) {
    if (thrown instanceof RangeError)
      throw bad('too-deep', 'The data is nested too deeply, or is too long, to be written.')
    throw thrown
  }
}

function finite(_name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw bad('not-json', `${value} cannot be written as JSON.`)
}

type Container = unknown[] | Record<string, unknown>
const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !JSON.isRawJSON(value)

const copyOf = (value: Container): Container => (Array.isArray(value) ? [...value] : { ...value })

/** Sets a member as data, even one named __proto__. */
const put = (into: Container, key: string | number, value: unknown): void => {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer))
    throw bad(
      'bad-pointer',
      `“${shown(pointer)}” is not a JSON pointer: it starts with “/”, as in /data/StatusId.`,
    )
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Copies `root` with one value set (RFC 6901; `-` appends to a list). @throws Refusal (400) for an invalid or unknown pointer */
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

function keyIn(into: Container, token: string): string | number | undefined {
  if (!Array.isArray(into)) return token
  if (token === '-') return into.length
  return /^(?:0|[1-9]\d{0,8})$/.test(token) && Number(token) <= into.length ? Number(token) : undefined
}

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const OFFSET = /^([+-])(\d\d):([0-5]\d)$/

/** @returns minutes east of UTC; null for other text and for `-00:00`, which means "UTC", a zone that Timestamp never has */
export function offsetMinutes(offset: string): number | null {
  const parts = OFFSET.exec(offset)
  if (!parts || offset === '-00:00') return null
  const minutes = Number(parts[2]) * 60 + Number(parts[3])
  return minutes > 14 * 60 ? null : parts[1] === '-' ? -minutes : minutes
}

/** Local time with its offset, never Z, to the millisecond (Webhook envelope, Timestamp). @param instant milliseconds since the epoch */
export const localTime = (instant: number, offset: string): string =>
  dateTimeText(instant * 1_000, offsetMinutes(offset) ?? 0, 3)

/** @returns milliseconds since the epoch; null for other text and outside the years 2000 to 2099 */
export function readInstant(text: string): number | null {
  const read = readTimestamp(text)
  if ('problem' in read) return null
  const instant = Math.floor(read.instant / 1_000)
  return instant >= Date.UTC(2000) && instant < Date.UTC(2100) ? instant : null
}
