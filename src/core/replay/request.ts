import { CONNECTION_HEADERS } from '#catalog/http-headers.ts'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Edit, SendTo } from '#contract/replay.ts'
import { REPLAY_HEADER } from '#contract/values.ts'
import { bytesOf } from '../copy/copy.ts'
import type { ResolvedTarget } from '../targets.ts'
import { TRACEPARENT } from '../traces.ts'
import { isLoopbackHost, outgoingUrl, type TargetUrl, targetUrl } from './destination.ts'
import type { Body, CapturedRequest, OutgoingRequest } from './ports.ts'

export interface RequestParts {
  readonly captured: CapturedRequest
  readonly target: ResolvedTarget
  readonly extra?: SendTo['headers']
  readonly edit?: Edit | undefined
  readonly attemptId: number
  /** Lower-cased names of the headers with the endpoints' secrets. */
  readonly secretHeaders: ReadonlySet<string>
  /** Header of the trace to add. */
  readonly trace?: readonly [name: string, value: string] | null
}

export interface BuiltRequest extends OutgoingRequest {
  readonly secretNames: readonly string[]
  readonly editedBody: Uint8Array | null
}

/**
 * Builds the request exactly as it is sent. Never throws: an invalid URL fails when sending. Methods are upper-cased, as node:http sends
 * them.
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
    // Withholds only values of the sender: the user may have typed others into an edited copy.
    withheld: plan.credentialsAllowed ? [] : credentialsOf(captured.headers),
  })
  return {
    method: (edit?.method ?? target.method ?? captured.method).toUpperCase(),
    url: outgoingUrl(plan.url, target, edit?.url ?? captured.url),
    // A target that sets or removes the header has its way.
    headers: parts.trace && !plan.ownsTrace ? [...headers, ...parts.trace] : headers,
    body,
    timeouts: target.timeouts,
    acceptAnyCertificate: target.acceptAnyCertificate,
    secretNames: plan.secretNames,
    editedBody,
  }
}

export function typedTarget(url: string): ResolvedTarget {
  return { ...DEFAULT_TARGET, name: url, url, headers: [] }
}

export function bodyOf(bytes: Uint8Array): Body {
  return { size: bytes.length, pieces: () => [bytes] }
}

const NONE: ReadonlySet<string> = new Set()

/** Credentials of the delivery as a flat list with lower-cased names; they were meant for the receiver only. */
function credentialsOf(came: readonly string[]): readonly string[] {
  const found: string[] = []
  for (let i = 0; i + 1 < came.length; i += 2) {
    const length = came[i]?.length
    if (length !== 6 && length !== 13) continue
    const lower = came[i]?.toLowerCase()
    if (lower === 'cookie' || lower === 'authorization') found.push(lower, came[i + 1] ?? '')
  }
  return found
}

interface Plan extends HeaderPlan {
  readonly url: TargetUrl
  readonly secretsAllowed: boolean
  readonly credentialsAllowed: boolean
  readonly secretNames: readonly string[]
  readonly ownsTrace: boolean
}

/** Cached per target: a job of 100,000 deliveries uses one target. */
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
    ownsTrace: [
      ...target.remove,
      ...[...own.map(({ name }) => name), ...(extra ?? []).map(([name]) => name)],
    ].some((name) => sameName(name, TRACEPARENT)),
    secretNames: [...new Set(own.filter(({ secret }) => secret).map(({ name }) => name.toLowerCase()))],
  }
  plans.set(target, { extra, plan })
  return plan
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export interface HeaderPlan {
  readonly host: string
  /** Lower-cased names. */
  readonly remove: ReadonlySet<string>
  readonly set: readonly (readonly [name: string, value: string])[]
}

export interface HeaderFacts {
  readonly bodySize: number
  readonly mark: readonly [name: string, value: string] | null
  /** Lower-cased names to withhold. */
  readonly secretHeaders: ReadonlySet<string>
  /** Flat list of headers to withhold when they have this value; lower-cased names. */
  readonly withheld: readonly string[]
}

/** Headers of a connection, not of the delivery. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...CONNECTION_HEADERS,
  'proxy-authorization',
  'proxy-authenticate',
])

/**
 * Builds the flat list of headers: the delivery's, in order, with case and duplicates, without those of its connection; one Host and the
 * true Content-Length at their old positions; the replay mark last. A target can set Host, but cannot remove Host or framing.
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
      // All of the target's headers of this name replace the first one; further ones are dropped.
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

/** Names that the Connection header lists; null in the usual case of none. */
export function nominatedNames(came: readonly string[]): ReadonlySet<string> | null {
  let names: Set<string> | null = null
  for (let i = 0; i + 1 < came.length; i += 2)
    if (came[i]?.length === 10 && came[i]?.toLowerCase() === 'connection') {
      names ??= new Set()
      for (const name of (came[i + 1] ?? '').split(',')) names.add(name.trim().toLowerCase())
    }
  return names
}

/** The target's headers by lower-cased name, without framing and connection headers, which would make the request unreadable. */
function wantedHeaders({ set }: HeaderPlan, mark: string | undefined) {
  const wanted = Map.groupBy(set, ([name]) => name.toLowerCase())
  for (const lower of wanted.keys())
    if (lower === 'content-length' || lower === mark || HOP_BY_HOP.has(lower)) wanted.delete(lower)
  return wanted
}
