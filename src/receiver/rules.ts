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

/** Settings of the receiver; the same object while nothing has changed. */
export interface ReceiverRules {
  readonly endpoints: readonly EndpointRule[]
  /** Size of a body in bytes beyond which only its head is kept. */
  readonly bodyLimit: number
  /** Limits of open connections, in all and per address. */
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
}

export interface ReadyEndpoint {
  readonly name: string
  readonly path: string
  /** Null when the endpoint has no secret. */
  readonly secret: AcceptedSecret | null
  readonly enabled: boolean
  /** Content of its answer, for fault rules with another status. */
  readonly content: Content
  readonly answer: ReadyAnswer
  readonly answerToHead: ReadyAnswer
  readonly delayMs: number
}

export interface ReadyRules extends Omit<ReceiverRules, 'endpoints'> {
  /** Endpoints except the default one, longest path first. */
  readonly others: readonly ReadyEndpoint[]
  readonly fallback: ReadyEndpoint
}

const derived = new WeakMap<ReceiverRules, ReadyRules>()

/** Prepares rules for requests; cached per rules object. */
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

/** The endpoint of a request: longest prefix of the raw path by whole segments, case-sensitive, else the default. `/%61` is not `/a`. */
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
  // Proxies send the absolute form (`http://host/path`), of which only the path counts.
  const origin = target.startsWith('/') ? '' : (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? '')
  const end = target.slice(origin.length).search(/[?#]/)
  return end === -1 ? target.slice(origin.length) : target.slice(origin.length, origin.length + end)
}

/** Constant number of comparisons: two accepted values, each in two encodings. */
const COMPARISONS = 4

/** Digests of the accepted values of a secret header. */
export interface AcceptedSecret {
  /** Lower case. */
  readonly header: string
  readonly digests: readonly Buffer[]
}

const digest = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Prepares the check of a secret header. @param accepted 1 or 2 values; with none, every request fails */
export function acceptSecret(header: string, accepted: readonly string[]): AcceptedSecret {
  const digests = accepted.slice(0, COMPARISONS / 2).flatMap((value) => {
    // Senders write characters beyond ASCII in UTF-8 or latin-1. Those beyond latin-1 have only UTF-8: truncated, they equal other secrets.
    const latin1 = Buffer.from(value, 'latin1')
    const forms = [Buffer.from(value, 'utf8')]
    if (latin1.toString('latin1') === value) forms.push(latin1)
    return forms.map(digest)
  })
  while (digests.length < COMPARISONS) digests.push(randomBytes(32))
  return { header: header.toLowerCase(), digests }
}

/**
 * Whether the header occurs at least once, and every value is accepted (Authentication, rule 1). The work depends neither
 * on the place of a difference nor on the number of accepted values (reliability, section 6).
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
