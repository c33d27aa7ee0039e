import { z } from 'zod'
import { count, defineCommand, defineReading, epochMs, httpUrl, id, nothing, type Of } from './params.ts'
import { attemptError, timings } from './replay.ts'
import { ANSWER_HINTS, SELF_TEST_METHODS } from './values.ts'

const method = z.enum(SELF_TEST_METHODS)
export type SelfTestMethod = Of<typeof method>
export type AnswerHint = (typeof ANSWER_HINTS)[number]

/** A part of the request that changed on its way to the receiver. */
const change = z.union([
  z.strictObject({ part: z.enum(['method', 'path']), sent: z.string(), arrived: z.string() }),
  z.strictObject({
    part: z.literal('body'),
    /** Bytes. */
    sent: count,
    arrived: count,
    /** Offset of the first byte that differs. */
    at: count,
  }),
  z.strictObject({
    part: z.literal('header'),
    how: z.enum(['removed', 'added', 'changed', 'case']),
    name: z.string(),
    sent: z.string().nullable(),
    arrived: z.string().nullable(),
  }),
])
export type ConnectChange = Of<typeof change>

/** `elsewhere`: another server answered. `lost`: sent, no answer. `unreachable`: not sent. `receiver-off`: nothing was tried. */
const outcome = z.enum(['arrived', 'elsewhere', 'lost', 'unreachable', 'receiver-off'])
export type ConnectOutcome = Of<typeof outcome>

/** Result of a test delivery to the public address. */
const connectTest = z.strictObject({
  url: z.string(),
  method,
  at: epochMs,
  outcome,
  /** Address and port that the test connected to. */
  address: z.string().nullable(),
  timings,
  error: attemptError.nullable(),
  /** Why a sender that checks certificates would refuse this one; the test continued without the check. */
  certificate: attemptError.nullable(),
  answer: z
    .strictObject({
      status: count,
      statusText: z.string(),
      server: z.string().nullable(),
      location: z.string().nullable(),
      text: z.string(),
      /** Null for the receiver's own answer. */
      hint: z.enum(ANSWER_HINTS).nullable(),
    })
    .nullable(),
  arrival: z
    .strictObject({
      /** Id of the captured delivery; null when it could not be stored. */
      id: id.nullable(),
      /** Milliseconds since the test began. */
      afterMs: z.number(),
      endpoint: z.string(),
      remoteAddress: z.string(),
      /** The endpoint demands its secret header, which the test does not carry. */
      rejected: z.boolean(),
      /** Status that the receiver answered; a proxy may have passed on another. */
      status: count.nullable(),
      changes: z.array(change),
    })
    .nullable(),
})
export type ConnectTest = Of<typeof connectTest>

/** An address by which other machines of the network may reach this one. */
const machineAddress = z.strictObject({
  address: z.string(),
  family: z.union([z.literal(4), z.literal(6)]),
  name: z.string(),
})
export type MachineAddress = Of<typeof machineAddress>

const connectState = z.strictObject({
  addresses: z.array(machineAddress),
  /** The last self-test since the start; null before the first. */
  last: connectTest.nullable(),
})
export type ConnectState = Of<typeof connectState>

export const connectCommands = {
  'connect.state': defineReading('Addresses of this machine, and the last self-test.', nothing, connectState),
  'connect.test': defineCommand(
    'Sends a marked delivery to an address and waits for it, 30 s at most.',
    z.strictObject({ url: httpUrl, method: method.exactOptional() }),
    connectTest,
  ),
}
