import { z } from 'zod'
import { byId, count, defineCommand, endpointName, filter, id, nothing, type Of } from './params.ts'
import { FAULT_TYPES } from './values.ts'

/** What an endpoint does to the sender instead of, or before, its own answer. The delivery is stored first, always. */
const effect = z.discriminatedUnion('type', [
  /** Answers this status, with the endpoint's headers and body. */
  z.strictObject({ type: z.literal('status'), status: z.int().min(200).max(599) }),
  /** Answers so many milliseconds later. */
  z.strictObject({ type: z.literal('delay'), ms: z.int().min(1).max(600_000) }),
  /** Never answers; the connection stays open until the sender leaves it. */
  z.strictObject({ type: z.literal('hang') }),
  /** Ends the connection by a TCP reset without an answer. */
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
  /** Drawn from `seed`, so that the same deliveries meet the same faults. */
  probability: z.number().min(0).max(1),
  seed: count,
  /** Which deliveries; empty: all. */
  filter,
  /** The next so many deliveries that match; null: no bound. */
  next: z.int().positive().nullable(),
  /** Milliseconds since the epoch; null: no end. */
  until: count.nullable(),
}
export const faultRule = z.strictObject(rule)
/** A fault rule lasts as long as the process, so that yesterday's fault surprises no user. The first rule that applies is taken. */
export type FaultRule = Of<typeof faultRule>

export const fault = z.strictObject({
  ...rule,
  id,
  /** Deliveries that met its conditions, and those of them that met its probability too. */
  matched: count,
  applied: count,
})
export type Fault = Of<typeof fault>

/** Who decided an answer when it was not the endpoint itself. */
export const answeredBy = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('fault'), effect: z.enum(FAULT_TYPES) }),
  z.strictObject({ by: z.literal('target'), target: z.string() }),
])
export type AnsweredBy = Of<typeof answeredBy>

const faults = z.strictObject({ faults: z.array(fault) })

export const faultCommands = {
  'faults.list': defineCommand('The fault rules in force.', nothing, faults),
  'faults.add': defineCommand(
    'Adds a rule. With the `id` of one that ended, it is back under it and at its place, for the first rule that applies is taken.',
    z.strictObject({ ...rule, id: id.exactOptional() }),
    faults,
  ),
  'faults.remove': defineCommand('Ends a rule.', byId, faults),
  'faults.clear': defineCommand('Ends all rules.', nothing, faults),
}
