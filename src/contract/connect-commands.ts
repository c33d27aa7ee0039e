import { z } from 'zod'
import { httpUrl } from './params.ts'
import type { AttemptError, Timings } from './replay.ts'

/** The methods of the service (readings, Delivery); the one used first stands first. */
export const SELF_TEST_METHODS = ['POST', 'PUT', 'GET'] as const
export type SelfTestMethod = (typeof SELF_TEST_METHODS)[number]
/** Marks a delivery that Acuse sent to itself; its value is a token of that one test. */
export const SELF_TEST_HEADER = 'X-Acuse-Self-Test'
/** Its `Event`: none of the 28, so it counts as no event anywhere. */
export const SELF_TEST_EVENT = 'test.connection'

/** Something that was not as it was sent when it arrived. */
export type ConnectChange =
  | { readonly part: 'method' | 'path'; readonly sent: string; readonly arrived: string }
  | {
      readonly part: 'body'
      /** Bytes. */
      readonly sent: number
      readonly arrived: number
      /** Offset of the first byte that differs. */
      readonly at: number
    }
  | {
      readonly part: 'header'
      readonly how: 'removed' | 'added' | 'changed' | 'case'
      readonly name: string
      readonly sent: string | null
      readonly arrived: string | null
    }

/** What an answer of somebody else points to. */
export const ANSWER_HINTS = [
  'redirect',
  'protected',
  'tunnel-offline',
  'tunnel-upstream',
  'gateway',
  'other-server',
] as const
export type AnswerHint = (typeof ANSWER_HINTS)[number]

/**
 * `arrived`: it came to our receiver. `elsewhere`: somebody else answered. `lost`: nobody answered, though it was sent. `unreachable`:
 * it could not be sent. `receiver-off`: nothing was sent, since nothing could arrive.
 */
export type ConnectOutcome = 'arrived' | 'elsewhere' | 'lost' | 'unreachable' | 'receiver-off'

/** What became of a delivery that was sent to the public address. */
export interface ConnectTest {
  readonly url: string
  readonly method: SelfTestMethod
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly outcome: ConnectOutcome
  /** Address and port connected to. */
  readonly address: string | null
  readonly timings: Timings
  /** Why there was no answer, or no whole one. */
  readonly error: AttemptError | null
  /** Why a sender that checks certificates refuses this one; the test went on without the check. */
  readonly certificate: AttemptError | null
  readonly answer: {
    readonly status: number
    readonly statusText: string
    /** The header Server. */
    readonly server: string | null
    readonly location: string | null
    /** The beginning of its body. */
    readonly text: string
    /** Null for our own answer. */
    readonly hint: AnswerHint | null
  } | null
  readonly arrival: {
    /** The delivery; null while it waits in the journal. */
    readonly id: number | null
    /** Milliseconds from the beginning of the test. */
    readonly afterMs: number
    readonly endpoint: string
    readonly remoteAddress: string
    /** The endpoint demands its secret header, which the test does not carry. */
    readonly rejected: boolean
    /** What the receiver answered; the answer that came back may be another. */
    readonly status: number | null
    readonly changes: readonly ConnectChange[]
  } | null
}

/** An address by which other machines of the network may reach this one. */
export interface MachineAddress {
  readonly address: string
  readonly family: 4 | 6
  /** The network interface. */
  readonly name: string
}

export interface ConnectState {
  readonly addresses: readonly MachineAddress[]
  /** The last self-test since the start; null before the first. */
  readonly last: ConnectTest | null
}

export interface ConnectCommands {
  'connect.state': { params: Record<string, never>; result: ConnectState }
  /** Sends a marked delivery to an address and waits for it, 30 s at most. */
  'connect.test': { params: { url: string; method?: SelfTestMethod }; result: ConnectTest }
}
export type ConnectCommandName = keyof ConnectCommands

export const CONNECT_PARAMS: { readonly [C in ConnectCommandName]: z.ZodType<unknown> } = {
  'connect.state': z.strictObject({}),
  'connect.test': z.strictObject({ url: httpUrl, method: z.enum(SELF_TEST_METHODS).optional() }),
}
