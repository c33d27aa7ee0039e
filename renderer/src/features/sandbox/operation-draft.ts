import type { SandboxOperation } from '#contract/sandbox.ts'
import { oddCharacter } from './odd-character.ts'

type Parameter = SandboxOperation['parameters'][number]
/** As typed, by the parameter's name; empty or absent: left to the sandbox. */
export type OperationDraft = Readonly<Record<string, string>>
/** Keys of sandbox:operations. */
export type ParameterError = 'required' | 'uuid' | 'integer' | 'decimal' | 'long' | 'character'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const DECIMAL = /^\d{1,9}(?:\.\d{1,2})?$/
const LONGEST_TEXT = 1_000
const INTEGER = /^\d{1,15}$/

/** What the sandbox would refuse for the shape alone; it checks again, and is right. */
export function parameterError({ type, required }: Parameter, typed: string): ParameterError | null {
  const text = typed.trim()
  if (text === '') return required ? 'required' : null
  if (type === 'uuid') return UUID.test(text) ? null : 'uuid'
  if (type === 'integer') return INTEGER.test(text) ? null : 'integer'
  if (type === 'decimal') return DECIMAL.test(text) ? null : 'decimal'
  if (typed.length > LONGEST_TEXT) return 'long'
  return oddCharacter(typed, /[\0\p{Cs}]/u) ? 'character' : null
}

/** Arguments as the sandbox takes them; decimals go as their digits, so that nothing is rounded on the way. */
export function argumentsOf(
  { parameters }: SandboxOperation,
  draft: OperationDraft,
): Readonly<Record<string, unknown>> {
  const args: Record<string, unknown> = {}
  for (const { name, type } of parameters) {
    const text = draft[name] ?? ''
    if (text.trim() === '') continue
    if (type === 'boolean') args[name] = text === 'true'
    else if (type === 'integer') args[name] = Number(text)
    else args[name] = type === 'string' ? text : text.trim()
  }
  return args
}

/** The group that an operation is listed under. */
export type OperationGroup = 'documents' | 'notes' | 'authority' | 'contacts' | 'products'
export const OPERATION_GROUPS: readonly OperationGroup[] = [
  ...(['documents', 'notes', 'authority', 'contacts', 'products'] as const),
]
const AUTHORITY: readonly string[] = ['submit', 'poll', 'approve', 'reject', 'accept-conditionally']

export function groupOf(name: string): OperationGroup {
  if (AUTHORITY.includes(name)) return 'authority'
  if (/-(customer|supplier)$/.test(name)) return 'contacts'
  if (/-product$/.test(name)) return 'products'
  return /-note$|^edit-(amount|text)$/.test(name) ? 'notes' : 'documents'
}
