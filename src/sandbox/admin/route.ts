import { z } from 'zod'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'
import type { KeptLaboratory } from '../laboratory/laboratory.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { ApiKeys, Plugins } from '../records/credentials.ts'
import type { Subscriptions } from '../records/subscriptions.ts'
import type { Runs, Traffic } from '../traffic/traffic.ts'
import type { World } from '../world/world.ts'

/**
 * Checks a body or query against its schema.
 * @throws Refusal 400 with a sentence that names the place
 */
export function understood<S extends z.ZodType>(schema: S, content: unknown): z.output<S> {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  const sentence = `${field || 'the body'}: ${issue?.message ?? 'not understood'}.`
  throw bad('bad-input', sentence.slice(0, 1_000), field || undefined)
}

/** The number in a path such as `/subscriptions/7`. */
export function idFrom(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw bad('bad-id', 'An id is a whole number.')
  return Number(text)
}

/** A query parameter that stands there once, or not at all. */
type Query = Readonly<Record<string, string>>

/** @throws Refusal 400 when one is given twice */
export function queryOf(url: string): Query {
  const result: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')) {
    if (name in result) throw bad('bad-input', `${name} is given more than once.`)
    result[name] = value
  }
  return result
}

/** A body left out asks for nothing in particular; `null` is no form at all. */
export const orEmpty = (content: unknown): unknown => (content === undefined ? {} : content)

/** Short text that a person reads in lists: no controls, no line ends. */
export const name = z
  .string()
  .min(1, 'must not be empty')
  .max(200, 'must not be longer than 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters or half of a surrogate pair')

export const seed = z.int().min(0).max(0xffff_ffff)

export const kindName = z.custom<Kind>(
  (value) => typeof value === 'string' && kindSpec(value) !== undefined,
  'is none of the 28 kinds',
)

/** What the admin API works on. */
export interface AdminContext {
  readonly world: World
  readonly subscriptions: Subscriptions
  readonly keys: ApiKeys
  readonly plugins: Plugins
  readonly laboratory: KeptLaboratory
  readonly log: ExecutionLog
  readonly dispatcher: Dispatcher
  readonly runs: Runs
  readonly traffic: Traffic
  readonly now: () => number
  readonly timeoutMs: number
}

interface AdminCall {
  /** Parts of the path, by name. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Query
  /** The parsed body; undefined when there was none. */
  readonly body: unknown
}

export type AdminReply =
  | { readonly status: number; readonly content: unknown }
  /** Text that is made as it is sent. */
  | { readonly status: 200; readonly lines: Iterable<string> }

export interface AdminRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Under `/_sandbox`, with `:name` for its parts. */
  readonly path: string
  readonly summary: string
  /** Throws a Refusal, and then nothing was changed. */
  handle(call: AdminCall): AdminReply | Promise<AdminReply>
}
export const route = (
  method: AdminRoute['method'],
  path: string,
  summary: string,
  handle: AdminRoute['handle'],
): AdminRoute => ({ method, path, summary, handle })

export const ok = (content: unknown): AdminReply => ({ status: 200, content })
export const created = (content: unknown): AdminReply => ({ status: 201, content })

export const shownEvent = ({ seq, kind, subject, body }: SandboxEvent) => ({ seq, kind, subject, body })
