import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import type { Settings } from '#contract/settings.ts'
import { secretHeadersOf } from './endpoints.ts'

/**
 * Names of headers and parameters with credentials as values. `X-Api-Key`, `api_key` and `apiKey` are the same name. `*` matches any
 * characters, `!` exempts a name; the last matching entry wins.
 */
export const MASKED_NAMES: readonly string[] = [
  '*auth',
  '*authorization',
  '*authentication',
  '*credential*',
  '*bearer*',
  '*jwt*',
  '*signature*',
  '!*signaturealgorithm',
  '*hmac*',
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
  /** A masked value stays masked: only the thread that sends knows every secret. */
  headers(headers: readonly Header[]): readonly Header[]
  /** Whether a header, parameter or member of this name has a value to mask. */
  names(name: string): boolean
  /** @param text request or status line and headers, as on the wire */
  head(text: string): string
  /** @param text a request target or URL as received */
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

// Cached per settings object, which is never mutated: every header of every delivery shown asks for it.
const namesOf = new WeakMap<Settings, readonly string[]>()

const MOST_REMEMBERED = 2_000
/** Deeper nested parameters are masked without parsing, since each level parses the rest again. */
const DEEPEST = 4
const PARAMETER = /([?&#])([^=?&;#,\s]*)=([^&]*)|([;,\s])([^=?&;#,\s]*)=([^&;,/?#\s]*)/g
/** A value that looks like a credential, whatever its header's name. */
const SCHEME = /^\s*(?:basic|bearer|negotiate|token)\s+[\w+/=.~-]{8,}\s*$/i

const description = (value: string): string => `${value.length} characters`

/**
 * @param names returns the list of `maskedNamesOf`; called for every header
 * @param mark replaces a masked value in a target or head; default: its length
 */
export function createMasking(
  names: () => readonly string[],
  mark: (value: string) => string = (value) => `<masked: ${description(value)}>`,
): Masking {
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
    const { masked } = header({ name: text.slice(0, at), value: text.slice(at + 1).trim() })
    return masked ? `${text.slice(0, at)}: ${mark(text.slice(at + 1).trim())}` : text
  }
  return {
    header,
    headers,
    names: covers,
    target,
    row,
    head: (text) => {
      let folded = false
      return text.replaceAll(/[^\r\n]+/g, (one) => {
        // A line that starts with white space continues the value above.
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

/** Decodes percent encoding byte by byte, so that an incomplete character cannot hide a name. */
const decoded = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
