import { readInstant } from '../domain/local-time.ts'
import { type OperationSpec, SandboxError } from '../world.ts'
import type { Change } from './change.ts'

type Parameter = OperationSpec['parameters'][number]
type Value<T extends Parameter['type']> = T extends 'string' | 'uuid'
  ? string
  : T extends 'integer' | 'decimal'
    ? number
    : boolean

/** Checked arguments: decimals in hundredths, ids in lower case; absent and null are undefined. */
export type Args<P extends readonly Parameter[]> = {
  readonly [Q in P[number] as Q['name']]: Q['required'] extends true
    ? Value<Q['type']>
    : Value<Q['type']> | undefined
}

export interface Operation extends OperationSpec {
  /** @returns id of what it is about @throws SandboxError */
  readonly run: (change: Change, params: Readonly<Record<string, unknown>>) => string
}

/** An operation whose arguments are checked against its own description before it runs. */
export function operation<const P extends readonly Parameter[]>(
  name: string,
  summary: string,
  parameters: P,
  run: (change: Change, args: Args<P>) => string,
): Operation {
  return {
    name,
    summary,
    parameters,
    run: (change, params) => run(change, checkedArgs(name, parameters, params) as Args<P>),
  }
}

const LONGEST_TEXT = 1000
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const DECIMAL = /^(\d{1,9})(?:\.(\d{1,2}))?$/

const refused = (message: string): SandboxError => new SandboxError(400, 'bad-parameter', message)

function checkedArgs(
  name: string,
  parameters: readonly Parameter[],
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw refused(`${name} takes its parameters as a JSON object.`)
  for (const given of Object.keys(params))
    if (!parameters.some((parameter) => parameter.name === given)) {
      const known = parameters.map((parameter) => parameter.name).join(', ')
      throw refused(`${name} has no parameter “${given.slice(0, 60)}”; it has ${known || 'none'}.`)
    }
  const args: Record<string, unknown> = {}
  for (const parameter of parameters) {
    const value = Object.hasOwn(params, parameter.name) ? params[parameter.name] : undefined
    if (value === undefined || value === null) {
      if (parameter.required) throw refused(`${name} needs ${parameter.name}: ${parameter.summary}.`)
      continue
    }
    args[parameter.name] = checkedValue(parameter, value)
  }
  return args
}

function checkedValue({ name, type, values }: Parameter, value: unknown): string | number | boolean {
  const checked = typedValue(name, type, value)
  if (values && !values.includes(String(checked))) throw refused(`${name} is one of ${values.join(', ')}.`)
  return checked
}

function typedValue(name: string, type: Parameter['type'], value: unknown): string | number | boolean {
  switch (type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw refused(`${name} is true or false.`)
      return value
    case 'integer':
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
        throw refused(`${name} is a whole number, 0 or more.`)
      return value
    case 'decimal':
      return hundredths(name, value)
    case 'uuid':
      if (typeof value !== 'string' || !UUID.test(value)) throw refused(`${name} is a UUID.`)
      return value.toLowerCase()
    case 'string': {
      const fits = typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT
      if (!fits || !value.isWellFormed() || value.includes('\0'))
        throw refused(`${name} is a text of 1 to ${LONGEST_TEXT} characters.`)
      return value
    }
  }
}

/** A JSON number or its digits as text, at most two decimals: anything else would have to be rounded. */
function hundredths(name: string, value: unknown): number {
  const parts = typeof value === 'number' || typeof value === 'string' ? DECIMAL.exec(String(value)) : null
  if (!parts) throw refused(`${name} is a number from 0 to 999999999.99 with at most two decimals.`)
  return Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
}

/** Milliseconds since the epoch of an `issuedAt`; now when there is none. */
export function issueInstant(change: Change, text: string | undefined): number {
  if (text === undefined) return change.issueInstant()
  const instant = readInstant(text)
  if (instant === null)
    throw refused(
      'issuedAt is a date-time with offset of the years 2000 to 2099, as in 2026-11-21T09:30:00-04:00.',
    )
  return instant
}

export const ID = { name: 'id', type: 'uuid', required: true, summary: 'the document' } as const
export const ISSUED_AT = {
  name: 'issuedAt',
  type: 'string',
  required: false,
  summary: 'issue date, a date-time with offset; now when absent',
} as const
