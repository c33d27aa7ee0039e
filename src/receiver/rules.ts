import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DEFAULT_ENDPOINT } from '#contract/defaults.ts'
import type { EndpointRule } from '#core/endpoints.ts'
import {
  type Content,
  contentOf,
  DISABLED,
  framed,
  NO_CONTENT,
  type ReadyAnswer,
  withoutBody,
} from './answers.ts'

/** What the receiver goes by; the same object for as long as nothing has changed. */
export interface ReceiverRules {
  readonly endpoints: readonly EndpointRule[]
  /** Bytes of a body beyond which only its head is kept. */
  readonly bodyLimit: number
  /** Connections that may be open, in all and of one address. */
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}

export interface ReadyEndpoint {
  readonly name: string
  readonly path: string
  /** Null when it checks none. */
  readonly secret: AcceptedSecret | null
  readonly enabled: boolean
  /** What its answer says, for one with another status. */
  readonly content: Content
  readonly answer: ReadyAnswer
  readonly answerToHead: ReadyAnswer
  readonly delayMs: number
}

export interface ReadyRules extends Omit<ReceiverRules, 'endpoints'> {
  /** Longest path first; the default endpoint is not among them. */
  readonly others: readonly ReadyEndpoint[]
  readonly fallback: ReadyEndpoint
}

const derived = new WeakMap<ReceiverRules, ReadyRules>()

/** Derives what a request needs, once per rules object. */
export function readyRules(rules: ReceiverRules): ReadyRules {
  const known = derived.get(rules)
  if (known) return known
  const endpoints = rules.endpoints.map(readyEndpoint)
  const made: ReadyRules = {
    ...rules,
    others: endpoints.filter(({ path }) => path !== '/').sort((a, b) => b.path.length - a.path.length),
    fallback:
      endpoints.find(({ path }) => path === '/') ?? readyEndpoint({ ...DEFAULT_ENDPOINT, accepted: [] }),
  }
  derived.set(rules, made)
  return made
}

function readyEndpoint(rule: EndpointRule): ReadyEndpoint {
  const content = rule.enabled ? contentOf(rule.answer) : NO_CONTENT
  const answer = rule.enabled ? framed(rule.answer.status, content) : DISABLED
  return {
    name: rule.name,
    path: rule.path,
    secret: rule.secret && acceptSecret(rule.secret.header, rule.accepted),
    enabled: rule.enabled,
    content,
    answer,
    answerToHead: withoutBody(answer),
    delayMs: rule.enabled ? rule.answer.delayMs : 0,
  }
}

/** The endpoint of a request: longest whole-segment, case-sensitive prefix of the raw path, else the default. `/%61` is not `/a`. */
export function endpointFor(rules: ReadyRules, target: string): ReadyEndpoint {
  if (rules.others.length === 0) return rules.fallback
  const path = rawPath(target)
  return rules.others.find((endpoint) => isUnder(path, endpoint.path)) ?? rules.fallback
}

function isUnder(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return path.length === prefix.length || prefix.endsWith('/') || path[prefix.length] === '/'
}

function rawPath(target: string): string {
  // Absolute form (`http://host/path`), as proxies send it: only its path counts.
  const origin = target.startsWith('/') ? '' : (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? '')
  const end = target.slice(origin.length).search(/[?#]/)
  return end === -1 ? target.slice(origin.length) : target.slice(origin.length, origin.length + end)
}

/** Two accepted values, each in two encodings: so many comparisons are always made. */
const COMPARISONS = 4

/** Digests of the values that one secret header may carry. */
export interface AcceptedSecret {
  /** Lower case. */
  readonly header: string
  readonly digests: readonly Buffer[]
}

const digest = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Prepares the check of a secret header. @param accepted 1 or 2 values; none makes every request fail */
export function acceptSecret(header: string, accepted: readonly string[]): AcceptedSecret {
  const digests = accepted.slice(0, COMPARISONS / 2).flatMap((value) => {
    // Senders write a character beyond ASCII as UTF-8 or as latin-1. One beyond latin-1 has no latin-1 form: cutting it to a byte would accept other secrets.
    const latin1 = Buffer.from(value, 'latin1')
    const forms = [Buffer.from(value, 'utf8')]
    if (latin1.toString('latin1') === value) forms.push(latin1)
    return forms.map(digest)
  })
  while (digests.length < COMPARISONS) digests.push(randomBytes(32))
  return { header: header.toLowerCase(), digests }
}

/**
 * Whether every value under the header's name is an accepted one, and at least one came (Authentication, rule 1). The work depends neither
 * on where a value differs nor on how many are accepted (reliability, section 6).
 */
export function secretMatches(secret: AcceptedSecret, rawHeaders: readonly string[]): boolean {
  let came = 0
  let matching = 0
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length !== secret.header.length || name.toLowerCase() !== secret.header) continue
    came++
    matching += matches(secret, rawHeaders[i + 1] ?? '')
  }
  if (came === 0) matches(secret, '')
  return came > 0 && matching === came
}

function matches(secret: AcceptedSecret, value: string): number {
  const presented = digest(Buffer.from(value, 'latin1'))
  let found = 0
  for (const accepted of secret.digests) found |= Number(timingSafeEqual(presented, accepted))
  return found
}
