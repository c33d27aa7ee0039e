import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { CustomHeader } from './subscription.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/
/** They frame the message or steer the connection: a custom one would break the delivery, not describe it. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** @returns a sentence saying why nothing can be sent to the address, or null */
export function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'give a whole address such as https://example.com/hook'
  // URL would drop some of them and replace others: what is called would not be what was typed.
  if (/[\p{Cc}\p{Cs}]/u.test(text))
    return 'the address must not hold control characters or half of a surrogate pair'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `only http and https addresses can be sent to, not ${url.protocol}`
  if (url.username !== '' || url.password !== '')
    return 'the address must not hold a user name or password; use a custom header'
  return null
}

/** Authentication, rule 2: HTTPS should always be used. @returns a warning, or null */
export function urlWarning(text: string): string | null {
  const url = new URL(text)
  return url.protocol === 'http:' && !LOOPBACK.test(url.hostname)
    ? 'Deliveries to an http:// address can be read on their way; HTTPS should always be used.'
    : null
}

/** @returns a sentence saying what is wrong with the header, or null */
export function headerProblem({ name, value }: CustomHeader): string | null {
  try {
    validateHeaderName(name)
  } catch {
    return `"${name}" is not a header name`
  }
  if (RESERVED.has(name.toLowerCase()))
    return `${name} belongs to the connection and cannot be a custom header`
  try {
    validateHeaderValue(name, value)
  } catch {
    return `the value of ${name} holds a character that a header cannot carry`
  }
  return null
}
