import { z } from 'zod'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { readInstant } from '../domain/json.ts'
import { bad } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'

export interface Operation extends Omit<SandboxOperation, 'group'> {
  /** @returns the id of the subject @throws Refusal */
  readonly run: (change: Change, params: Readonly<Record<string, unknown>>) => string
}

type Description = Omit<SandboxOperation['parameters'][number], 'name' | 'required'>
type Shape = Readonly<Record<string, z.ZodType>>
export type Args<S extends Shape> = z.output<z.ZodObject<S>>

const descriptions = z.registry<Description>()
/** Registers a schema's description. The schema's messages continue a sentence that begins with the parameter's name. */
const described = <S extends z.ZodType>(schema: S, description: Description): S => {
  descriptions.add(schema, description)
  return schema
}

const LONGEST_TEXT = 1_000
const TEXT_RULE = `is a text of 1 to ${LONGEST_TEXT} characters`
export const text = (summary: string) =>
  described(
    z
      .string(TEXT_RULE)
      .max(LONGEST_TEXT, TEXT_RULE)
      .refine((value) => value.trim() !== '' && value.isWellFormed() && !value.includes('\0'), TEXT_RULE),
    { type: 'string', summary, maxLength: LONGEST_TEXT },
  )

export function whole(summary: string, minimum: number, maximum: number) {
  const rule = `is a whole number from ${minimum} to ${maximum}`
  const schema = z.int(rule).min(minimum, rule).max(maximum, rule)
  return described(schema, { type: 'integer', summary, minimum, maximum })
}

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,2}))?$/
/** Parses a JSON number, or its digits as text, to hundredths. Refuses more than two decimals, which would need rounding. */
export function decimal(summary: string, minimum = 0, maximum = 999_999_999.99) {
  const rule = `is a number from ${minimum} to ${maximum} with at most two decimals`
  const hundredths = (value: unknown): number | undefined => {
    const parts = DECIMAL.exec(String(value))
    return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined
  }
  const schema = z.union([z.number(), z.string()], rule).transform((value, context) => {
    const found = hundredths(value)
    if (found !== undefined && found >= minimum * 100 && found <= maximum * 100) return found
    context.addIssue({ code: 'custom', message: rule })
    return z.NEVER
  })
  return described(schema, { type: 'decimal', summary, minimum, maximum })
}

export const yesOrNo = (summary: string) =>
  described(z.boolean('is true or false'), { type: 'boolean', summary })

export const choice = <const V extends string | number>(summary: string, values: readonly V[]) =>
  described(z.literal([...values], `is one of ${values.join(', ')}`), {
    type: typeof values[0] === 'number' ? 'integer' : 'string',
    summary,
    values: values.map(String),
  })

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
export const uuid = (summary: string) =>
  described(
    z
      .string('is a UUID')
      .regex(UUID, 'is a UUID')
      .transform((id) => id.toLowerCase()),
    { type: 'uuid', summary },
  )

export function moment(summary: string) {
  const rule = 'is a date-time with offset of the years 2000 to 2099, as in 2026-11-21T09:30:00-04:00'
  const schema = z.string(rule).transform((value, context) => {
    const instant = readInstant(value)
    if (instant !== null) return instant
    context.addIssue({ code: 'custom', message: rule })
    return z.NEVER
  })
  return described(schema, { type: 'date-time', summary })
}

export const documentId = uuid('the document')
export const issuedAt = moment('issue date, a date-time with offset; now when absent').exactOptional()

export function operation<const S extends Shape>(
  name: string,
  summary: string,
  shape: S,
  run: (change: Change, args: Args<S>) => string,
): Operation {
  return {
    name,
    summary,
    parameters: Object.entries(shape).map(([parameter, schema]) => ({
      name: parameter,
      required: !(schema instanceof z.ZodExactOptional),
      ...descriptionOf(schema),
    })),
    run: (change, params) => run(change, checkedArgs(name, shape, params) as Args<S>),
  }
}

function descriptionOf(schema: z.ZodType): Description {
  const found = descriptions.get(schema instanceof z.ZodExactOptional ? schema.unwrap() : schema)
  if (!found) throw new Error('a parameter without a description')
  return found
}

/** Validates parameters; null counts as absent. */
function checkedArgs(name: string, shape: Shape, params: Readonly<Record<string, unknown>>): object {
  const refuse = (message: string, field?: string) => bad('bad-parameter', message, field)
  const unknown = Object.keys(params).find((given) => !Object.hasOwn(shape, given))
  if (unknown !== undefined) {
    const known = Object.keys(shape).join(', ') || 'none'
    throw refuse(`${name} has no parameter “${unknown.slice(0, 60)}”; it has ${known}.`)
  }
  const args: Record<string, unknown> = {}
  for (const [parameter, schema] of Object.entries(shape)) {
    const given = Object.hasOwn(params, parameter) ? (params[parameter] ?? undefined) : undefined
    if (given === undefined && schema instanceof z.ZodExactOptional) continue
    if (given === undefined)
      throw refuse(`${name} needs ${parameter}: ${descriptionOf(schema).summary}.`, parameter)
    const result = schema.safeParse(given)
    if (!result.success) throw refuse(`${parameter} ${result.error.issues[0]?.message}.`, parameter)
    args[parameter] = result.data
  }
  return args
}
