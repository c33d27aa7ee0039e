import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { DatabaseSync } from 'node:sqlite'
import { RESERVED_HEADERS } from '#catalog/http-headers.ts'
import type { SandboxSubscription } from '#contract/sandbox.ts'

export interface CustomHeader {
  readonly name: string
  readonly value: string
}

/** The settings of a subscription (What the service does, rule 6). */
export interface Subscription extends Omit<SandboxSubscription, 'headers' | 'warnings'> {
  readonly headers: readonly CustomHeader[]
}
type SubscriptionSettings = Omit<Subscription, 'id'>

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/
export function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'give a whole address such as https://example.com/hook'
  // URL drops or replaces these characters, and so would change the address.
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
    ? 'Others on the network can read deliveries to an http:// address. Use HTTPS.'
    : null
}

export function headerProblem({ name, value }: CustomHeader): string | null {
  try {
    validateHeaderName(name)
  } catch {
    return `"${name}" is not a header name`
  }
  if (RESERVED_HEADERS.has(name.toLowerCase()))
    return `${name} belongs to the connection and cannot be a custom header`
  try {
    validateHeaderValue(name, value)
  } catch {
    return `the value of ${name} holds a character that a header cannot carry`
  }
  return null
}

/** The workspace's subscriptions; ids are never reused, so that the log stays unambiguous. */
export function keptSubscriptions(db: DatabaseSync) {
  let list: readonly Subscription[] = db
    .prepare('SELECT id, settings FROM subscriptions ORDER BY id')
    .all()
    .map(({ id, settings }) => ({
      id: Number(id),
      ...(JSON.parse(String(settings)) as SubscriptionSettings),
    }))
  return {
    list: () => list,
    get: (id: number) => list.find((one) => one.id === id),
    add: (settings: SubscriptionSettings): Subscription => {
      const insert = db.prepare('INSERT INTO subscriptions (settings) VALUES (?)')
      const added = { id: Number(insert.run(JSON.stringify(settings)).lastInsertRowid), ...settings }
      list = [...list, added]
      return added
    },
    replace: (id: number, settings: SubscriptionSettings): Subscription => {
      db.prepare('UPDATE subscriptions SET settings = ? WHERE id = ?').run(JSON.stringify(settings), id)
      const replaced = { id, ...settings }
      list = list.map((one) => (one.id === id ? replaced : one))
      return replaced
    },
    remove: (id: number): void => {
      db.prepare('DELETE FROM subscriptions WHERE id = ?').run(id)
      list = list.filter((one) => one.id !== id)
    },
  }
}
export type Subscriptions = ReturnType<typeof keptSubscriptions>
