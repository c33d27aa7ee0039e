import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Edit, SendTo } from '#contract/replay.ts'
import type { TargetHeader } from '#contract/target.ts'
import { REPLAY_HEADER } from '#contract/values.ts'
import type { ResolvedTarget } from '../targets.ts'
import { isLoopbackHost } from './destination.ts'
import type { Body, CapturedRequest, OutgoingRequest } from './ports.ts'
import { type HeaderPlan, outgoingHeaders } from './request-headers.ts'
import { outgoingUrl, type TargetUrl, targetUrl } from './request-url.ts'

/** What a request is made of. */
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

/** A body that lies in memory. */
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
