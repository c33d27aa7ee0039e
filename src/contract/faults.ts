/** What an endpoint does to the sender instead of, or before, its own answer. The delivery is stored first, always. */
export type FaultEffect =
  /** Answers this status, with the endpoint's headers and body. */
  | { readonly type: 'status'; readonly status: number }
  /** Answers so many milliseconds later. */
  | { readonly type: 'delay'; readonly ms: number }
  /** Never answers; the connection stays open until the sender leaves it. */
  | { readonly type: 'hang' }
  /** Ends the connection by a TCP reset without an answer. */
  | { readonly type: 'reset' }
  /** Announces a body and closes the connection in the middle of it. */
  | { readonly type: 'close-mid-answer' }
export type FaultType = FaultEffect['type']
export const FAULT_TYPES = [
  'status',
  'delay',
  'hang',
  'reset',
  'close-mid-answer',
] as const satisfies readonly FaultType[]

/** A fault rule lasts as long as the process: nobody should meet yesterday's fault. The first rule that applies is taken. */
export interface FaultRule {
  /** Null: every endpoint. */
  readonly endpoint: string | null
  readonly effect: FaultEffect
  /** 0 to 1, drawn from `seed`, so that the same deliveries meet the same faults. */
  readonly probability: number
  readonly seed: number
  /** Which deliveries; empty: all. */
  readonly filter: string
  /** The next so many deliveries that match; null: no bound. */
  readonly next: number | null
  /** Milliseconds since the epoch; null: no end. */
  readonly until: number | null
}

export interface Fault extends FaultRule {
  readonly id: number
  /** Deliveries that met its conditions, and those of them that met its probability too. */
  readonly matched: number
  readonly applied: number
}

/** Who decided an answer when it was not the endpoint itself. */
export type AnsweredBy =
  | { readonly by: 'fault'; readonly effect: FaultType }
  | { readonly by: 'target'; readonly target: string }
