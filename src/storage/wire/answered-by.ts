import type { AnsweredBy } from '#contract/faults.ts'
import { FAULT_TYPES } from '#contract/values.ts'

/** `fault:hang`, `target:name`: what a person reading the database would want to find. */
export function packAnsweredBy(by: AnsweredBy | null): string | null {
  if (!by) return null
  return by.by === 'fault' ? `fault:${by.effect}` : `target:${by.target}`
}

/** @returns null for the endpoint itself, and for what no version of ours wrote */
export function unpackAnsweredBy(packed: unknown): AnsweredBy | null {
  if (typeof packed !== 'string') return null
  const at = packed.indexOf(':')
  const [by, value] = [packed.slice(0, at), packed.slice(at + 1)]
  if (by === 'target') return { by, target: value }
  const effect = FAULT_TYPES.find((known) => known === value)
  return by === 'fault' && effect ? { by, effect } : null
}
