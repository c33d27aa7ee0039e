import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import type { Settings } from '#contract/settings.ts'
import { secretHeadersOf } from './endpoints.ts'

/**
 * Names of headers and parameters whose values are credentials: `X-Api-Key`, `api_key` and `apiKey` are one name. `*` stands for any
 * characters, `!` shows what a name before it masks; the last entry that fits decides.
 */
export const MASKED_NAMES: readonly string[] = [
  '*auth',
  '*authorization',
  '*authentication',
  '*credential*',
  '*bearer*',
  '*jwt*',
  '*signature',
  'sig',
  '*cookie*',
  '*session',
  '*sessionid',
  '*sessid',
  'sid',
  '*token*',
  '*secret*',
  'secreto',
  '*password*',
  '*passwd*',
  '*passphrase*',
  '*passcode',
  'pass',
  '*pwd',
  '*clave',
  '*contrasena',
  '*contraseña',
  '*key',
  '!*idempotencykey',
  '!*publickey',
  '!*surrogatekey',
  '!secwebsocketkey',
  'code',
  'otp',
  'pin',
]

export interface Masking {
  header(header: Pick<Header, 'name' | 'value'>): Header
  /** A value that arrives masked stays masked: only the thread that sends knows every secret. */
  headers(headers: readonly Header[]): readonly Header[]
  /** @param text a request or status line and headers, as on the wire */
  head(text: string): string
  /** @param text a request target or URL, as it came */
  target(text: string): string
  row<R extends { readonly url: string }>(row: R): R
  detail(detail: DeliveryDetail): DeliveryDetail
}

export function maskedNamesOf(settings: Settings): readonly string[] {
  const known = namesOf.get(settings)
  if (known) return known
  const names = [...MASKED_NAMES, ...settings.masking.names, ...secretHeadersOf(settings)]
  namesOf.set(settings, names)
  return names
}

// Asked for every header of every delivery that is shown; settings are never changed in place.
const namesOf = new WeakMap<Settings, readonly string[]>()

const MOST_REMEMBERED = 2_000
/** What lies deeper is masked unread, since each level of parameters costs a reading of the rest. */
const DEEPEST = 4
const PARAMETER = /([?&#])([^=?&;#,\s]*)=([^&]*)|([;,\s])([^=?&;#,\s]*)=([^&;,/?#\s]*)/g
/** A credential by its form, whatever its header is called. */
const SCHEME = /^\s*(?:basic|bearer|negotiate|token)\s+[\w+/=.~-]{8,}\s*$/i

const description = (value: string): string => `${value.length} characters`
const mark = (value: string): string => `<masked: ${description(value)}>`

/** @param names as `maskedNamesOf` gives them; asked for every header */
export function createMasking(names: () => readonly string[]): Masking {
  let list: readonly string[] = []
  let rules: readonly { readonly pattern: RegExp; readonly masks: boolean }[] = []
  const decided = new Map<string, boolean>()
  const covers = (name: string): boolean => {
    if (names() !== list) {
      list = names()
      rules = list.map(ruleOf)
      decided.clear()
    }
    const known = decided.get(name)
    if (known !== undefined) return known
    const plain = squeezed(name)
    const covered = rules.findLast(({ pattern }) => pattern.test(plain))?.masks ?? false
    if (decided.size >= MOST_REMEMBERED) decided.clear()
    decided.set(name, covered)
    return covered
  }
  const holds = (value: string, depth: number): boolean => {
    const text = decoded(value)
    if (!/[=%]/.test(text)) return false
    return depth > DEEPEST || covered(text, depth) !== text || (text !== value && holds(text, depth + 1))
  }
  const covered = (text: string, depth: number): string =>
    text
      .replace(/(:\/\/)([^/?#\s]+)@/g, (_, before: string, user: string) => `${before}${mark(user)}@`)
      .replace(PARAMETER, (all: string, ...found: string[]) => {
        const [before, name = '', value = ''] = found[0] === undefined ? found.slice(3) : found
        const secret = value !== '' && (covers(decoded(name)) || holds(value, depth + 1))
        return secret ? `${before}${name}=${mark(value)}` : all
      })
  const target = (text: string): string => (/[=@]/.test(text) ? covered(text, 0) : text)
  const header: Masking['header'] = ({ name, value }) =>
    covers(name) || SCHEME.test(value) || target(`?${value}`) !== `?${value}`
      ? { name, value: description(value), masked: true }
      : { name, value, masked: false }
  const headers: Masking['headers'] = (all) => all.map((one) => (one.masked ? one : header(one)))
  const row = <R extends { readonly url: string }>(one: R): R => ({ ...one, url: target(one.url) })
  const line = (text: string): string => {
    const [, method, asked, version] = /^(\S+ )(.*)( HTTP\/[\d.]+)$/s.exec(text) ?? []
    if (asked !== undefined) return `${method}${target(asked)}${version}`
    const at = text.indexOf(':')
    if (at < 1) return target(text)
    const { masked, value } = header({ name: text.slice(0, at), value: text.slice(at + 1).trim() })
    return masked ? `${text.slice(0, at)}: <masked: ${value}>` : text
  }
  return {
    header,
    headers,
    target,
    row,
    head: (text) => {
      let folded = false
      return text.replaceAll(/[^\r\n]+/g, (one) => {
        // A line that begins with a blank goes on with the value above it.
        if (folded && /^[ \t]/.test(one)) return ` ${mark(one.trim())}`
        const shown = line(one)
        folded = shown !== one
        return shown
      })
    },
    detail: (detail) => ({
      ...row(detail),
      headers: headers(detail.headers),
      trailers: headers(detail.trailers),
      answered: detail.answered && { ...detail.answered, headers: headers(detail.answered.headers) },
    }),
  }
}

const squeezed = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^x[-_]/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

function ruleOf(entry: string): { readonly pattern: RegExp; readonly masks: boolean } {
  const masks = !entry.startsWith('!')
  return { pattern: new RegExp(`^${entry.split('*').map(squeezed).join('.*')}$`, 's'), masks }
}

/** With the percent encoding undone byte by byte: half of a letter must not hide a name. */
const decoded = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
