import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Edit, SendTo } from '#contract/replay.ts'
import type { TargetHeader } from '#contract/target.ts'
import { REPLAY_HEADER } from '#contract/values.ts'
import type { ResolvedTarget } from '../targets.ts'
import { isLoopbackHost } from './destination.ts'
import type { Body, CapturedRequest, OutgoingRequest } from './ports.ts'
import { outgoingUrl, type TargetUrl, targetUrl } from './request-url.ts'

export interface RequestParts {
  readonly captured: CapturedRequest
  readonly target: ResolvedTarget
  /** On top of the target's own headers; one of the same name takes the place of the target's. */
  readonly extra?: SendTo['headers']
  readonly edit?: Edit | undefined
  readonly attemptId: number
  /** Lower-cased names of the headers that the endpoints' secrets travel in. */
  readonly secretHeaders: ReadonlySet<string>
}

export interface BuiltRequest extends OutgoingRequest {
  /** Lower-cased names of headers sent whose values are the target's secrets. */
  readonly secretNames: readonly string[]
  /** The whole body of an edited copy; null when the body sent is the delivery's own. */
  readonly editedBody: Uint8Array | null
}

/**
 * The request that sends a delivery again: what goes out is exactly what this gives. Never throws; a URL that is none is found out when it
 * is sent. Methods go out in capitals, as node:http writes them.
 */
export function buildRequest(parts: RequestParts): BuiltRequest {
  const { captured, target, edit } = parts
  const plan = planOf(target, parts.extra)
  const editedBody = edit?.bodyBase64 === undefined ? null : bytesOf(edit.bodyBase64)
  const body = editedBody ? bodyOf(editedBody) : captured.body
  const headers = outgoingHeaders(edit?.headers?.flat() ?? captured.headers, plan, {
    bodySize: body.size,
    mark: target.markReplays ? [REPLAY_HEADER, String(parts.attemptId)] : null,
    secretHeaders: plan.secretsAllowed ? NONE : parts.secretHeaders,
    // A value that a person typed into a copy is not the sender's.
    withheld: plan.credentialsAllowed ? NOTHING : credentialsOf(captured.headers),
  })
  return {
    method: (edit?.method ?? target.method ?? captured.method).toUpperCase(),
    url: outgoingUrl(plan.url, target, edit?.url ?? captured.url),
    headers,
    body,
    timeouts: target.timeouts,
    acceptAnyCertificate: target.acceptAnyCertificate,
    secretNames: plan.secretNames,
    editedBody,
  }
}

/** A URL typed for this once, as a target: with DEFAULT_TARGET, named by itself. */
export function typedTarget(url: string): ResolvedTarget {
  return { ...DEFAULT_TARGET, name: url, url, headers: [] }
}

export function bodyOf(bytes: Uint8Array): Body {
  return { size: bytes.length, pieces: () => [bytes] }
}

const NONE: ReadonlySet<string> = new Set()
const NOTHING: readonly string[] = []

/** Flat list of the delivery's own credentials, lower-cased names: they were meant for the receiver and for no other host. */
function credentialsOf(came: readonly string[]): readonly string[] {
  let found = NOTHING
  for (let i = 0; i + 1 < came.length; i += 2) {
    const length = came[i]?.length
    if (length !== 6 && length !== 13) continue
    const lower = came[i]?.toLowerCase()
    if (lower === 'cookie' || lower === 'authorization') found = [...found, lower, came[i + 1] ?? '']
  }
  return found
}

interface Plan extends HeaderPlan {
  readonly url: TargetUrl
  readonly secretsAllowed: boolean
  readonly credentialsAllowed: boolean
  readonly secretNames: readonly string[]
}

/** A job of 100,000 uses one target throughout: what follows from it alone is worked out once. */
const plans = new WeakMap<ResolvedTarget, { readonly extra: SendTo['headers']; readonly plan: Plan }>()

function planOf(target: ResolvedTarget, extra: SendTo['headers']): Plan {
  const known = plans.get(target)
  if (known && known.extra === extra) return known.plan
  const url = targetUrl(target.url)
  const own = target.headers.filter(({ name }) => !extra?.some(([other]) => sameName(name, other)))
  const plan: Plan = {
    url,
    host: url.host,
    remove: new Set(target.remove.map((name) => name.toLowerCase())),
    set: [...own.map(({ name, value }) => [name, value] as const), ...(extra ?? [])],
    secretsAllowed: target.keepSecret || isLoopbackHost(url.hostname),
    credentialsAllowed: target.keepCredentials || isLoopbackHost(url.hostname),
    secretNames: secretNames(own),
  }
  plans.set(target, { extra, plan })
  return plan
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const secretNames = (headers: readonly Pick<TargetHeader, 'name' | 'secret'>[]): readonly string[] => [
  ...new Set(headers.filter(({ secret }) => secret).map(({ name }) => name.toLowerCase())),
]

/** @param base64 checked by the contract */
function bytesOf(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

export interface HeaderPlan {
  /** Value of Host, unless `set` names another. */
  readonly host: string
  /** Lower-cased names. */
  readonly remove: ReadonlySet<string>
  /** Replaced where they stand, else added. */
  readonly set: readonly (readonly [name: string, value: string])[]
}

export interface HeaderFacts {
  readonly bodySize: number
  /** X-Acuse-Replay and its value, or null. */
  readonly mark: readonly [name: string, value: string] | null
  /** Lower-cased names that do not go along. */
  readonly secretHeaders: ReadonlySet<string>
  /** Flat list of headers that do not go along with this value; lower-cased names. */
  readonly withheld: readonly string[]
}

/** RFC 9110 7.6.1, and Expect: each belongs to the connection that the delivery came by, not to the delivery. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/**
 * The flat list that goes out: the delivery's order, case and duplicates, without what belonged to its connection; Host once, in its place;
 * Content-Length once, in its place, with the true size; what the target removes, replaces in place and adds; the replay mark last. A target
 * can set Host, but can remove neither Host nor framing.
 * @param came flat list of names and values
 */
export function outgoingHeaders(came: readonly string[], plan: HeaderPlan, facts: HeaderFacts): string[] {
  const nominated = nominatedNames(came)
  const mark = facts.mark?.[0].toLowerCase()
  const wanted = wantedHeaders(plan, mark)
  const out: string[] = []
  let hosted = false
  let framed = false
  let chunked = false
  for (let i = 0; i + 1 < came.length; i += 2) {
    const name = came[i] ?? ''
    const lower = name.toLowerCase()
    if (lower === 'host') {
      if (!hosted) out.push(name, wanted.get('host')?.[0]?.[1] ?? plan.host)
      hosted = true
    } else if (lower === 'content-length') {
      if (!framed) out.push(name, String(facts.bodySize))
      framed = true
    } else if (HOP_BY_HOP.has(lower) || nominated?.has(lower)) chunked ||= lower === 'transfer-encoding'
    else if (lower !== mark && !plan.remove.has(lower)) {
      const replacement = wanted.get(lower)
      // The first of the name is replaced by all of the target's; the others have gone with it.
      if (replacement) for (const [own, value] of replacement.splice(0)) out.push(own, value)
      else if (!facts.secretHeaders.has(lower) && !holds(facts.withheld, lower, came[i + 1] ?? ''))
        out.push(name, came[i + 1] ?? '')
    }
  }
  if (!hosted) out.unshift('Host', wanted.get('host')?.[0]?.[1] ?? plan.host)
  if (!framed && (chunked || facts.bodySize > 0)) out.push('Content-Length', String(facts.bodySize))
  for (const [lower, rest] of wanted)
    if (lower !== 'host') for (const [name, value] of rest) out.push(name, value)
  if (facts.mark) out.push(...facts.mark)
  return out
}

const holds = (list: readonly string[], lower: string, value: string): boolean =>
  list.some((name, i) => i % 2 === 0 && name === lower && list[i + 1] === value)

/** Names that Connection says belong to the connection; null when it names none, as nearly always. */
function nominatedNames(came: readonly string[]): ReadonlySet<string> | null {
  let names: Set<string> | null = null
  for (let i = 0; i + 1 < came.length; i += 2)
    if (came[i]?.length === 10 && came[i]?.toLowerCase() === 'connection') {
      names ??= new Set()
      for (const name of (came[i + 1] ?? '').split(',')) names.add(name.trim().toLowerCase())
    }
  return names
}

const NO_PAIRS: ReadonlyMap<string, (readonly [name: string, value: string])[]> = new Map()

/** By lower-cased name, in order. Framing and what belongs to the connection cannot be set: the request could not be read any more. */
function wantedHeaders(
  plan: HeaderPlan,
  mark: string | undefined,
): ReadonlyMap<string, (readonly [name: string, value: string])[]> {
  if (plan.set.length === 0) return NO_PAIRS
  const wanted = new Map<string, (readonly [name: string, value: string])[]>()
  for (const pair of plan.set) {
    const lower = pair[0].toLowerCase()
    if (lower === 'content-length' || lower === mark || HOP_BY_HOP.has(lower)) continue
    const known = wanted.get(lower)
    if (known) known.push(pair)
    else wanted.set(lower, [pair])
  }
  return wanted
}
