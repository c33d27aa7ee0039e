import { z } from 'zod'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { bad } from '../http/refusal.ts'

/**
 * Checks what came against what is wanted.
 * @throws Refusal 400 with a sentence that names the place
 */
export function understood<S extends z.ZodType>(schema: S, content: unknown): z.output<S> {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = issue?.path.map(String).join('.') || 'the body'
  throw bad('bad-input', `${place}: ${issue?.message ?? 'not understood'}.`.slice(0, 1_000))
}

/** The number in a path such as `/subscriptions/7`. */
export function idFrom(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw bad('bad-id', 'An id is a whole number.')
  return Number(text)
}

/** A query parameter that stands there once, or not at all. */
export type Query = Readonly<Record<string, string>>

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
