import { z } from 'zod'
import {
  byId,
  count,
  defineCommand,
  defineReading,
  endpointName,
  filter,
  id,
  nothing,
  type Of,
} from './params.ts'
import { FAULT_TYPES } from './values.ts'

/** What an endpoint does to the sender before or instead of its own answer. The delivery is always stored first. */
const effect = z.discriminatedUnion('type', [
  /** Answers with this status and the endpoint's headers and body. */
  z.strictObject({ type: z.literal('status'), status: z.int().min(200).max(599) }),
  /** Delays the answer by this many milliseconds. */
  z.strictObject({ type: z.literal('delay'), ms: z.int().min(1).max(600_000) }),
  /** Never answers; the connection stays open until the sender closes it. */
  z.strictObject({ type: z.literal('hang') }),
  /** Resets the TCP connection without an answer. */
  z.strictObject({ type: z.literal('reset') }),
  /** Announces a body and closes the connection in the middle of it. */
  z.strictObject({ type: z.literal('close-mid-answer') }),
])
export type FaultEffect = Of<typeof effect>
export type FaultType = (typeof FAULT_TYPES)[number]

const rule = {
  /** Null: every endpoint. */
  endpoint: endpointName.nullable(),
  effect,
  /** Drawn from a generator seeded with `seed`, so that the same deliveries meet the same faults. */
  probability: z.number().min(0).max(1),
  seed: count,
  /** Deliveries that the rule applies to; empty: all. */
  filter,
  /** Ends the rule after this many matching deliveries; null: no limit. */
  next: z.int().positive().nullable(),
  /** Milliseconds since the epoch; null: no end. */
  until: count.nullable(),
}
export const faultRule = z.strictObject(rule)
/** A fault rule. Rules end with the process, so that yesterday's fault surprises no user. The first rule that applies wins. */
export type FaultRule = Of<typeof faultRule>

export const fault = z.strictObject({
  ...rule,
  id,
  /** `matched`: deliveries that met the conditions; `applied`: those that the probability selected too. */
  matched: count,
  applied: count,
})
export type Fault = Of<typeof fault>

/** What decided an answer instead of the endpoint's own settings. */
export const answeredBy = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('fault'), effect: z.enum(FAULT_TYPES) }),
  z.strictObject({ by: z.literal('target'), target: z.string() }),
])
export type AnsweredBy = Of<typeof answeredBy>

const faults = z.strictObject({ faults: z.array(fault) })

export const faultCommands = {
  'faults.list': defineReading('The fault rules in force.', nothing, faults),
  'faults.add': defineCommand(
    'Adds a rule. With the `id` of an ended rule it restores that rule at its place; the first rule that applies wins.',
    z.strictObject({ ...rule, id: id.exactOptional() }),
    faults,
  ),
  'faults.remove': defineCommand('Ends a rule.', byId, faults),
  'faults.clear': defineCommand('Ends all rules.', nothing, faults),
}
