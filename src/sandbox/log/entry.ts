/** As the service records it: any 2xx is `delivered`, any other answer `refused`; `cut` is the laboratory's doing. */
export type AttemptOutcome = 'delivered' | 'refused' | 'failed' | 'timed-out' | 'cut'

export interface Answer {
  readonly status: number
  /** Status line and headers as they came. */
  readonly head: string
  /** At most ANSWER_LIMIT bytes of it. */
  readonly body: Buffer
  readonly truncated: boolean
}

/** `event` is what counts; connectivity tests and plugin events are logged apart. */
export const ENTRY_TYPES = ['event', 'test', 'plugin'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

/** What became of an event at one subscription: what the attempt came to, or why there was none. */
export const OUTCOMES = [
  ...(['delivered', 'refused', 'failed', 'timed-out', 'cut'] as const),
  ...(['lost', 'not-dispatched'] as const),
] as const
export type Outcome = AttemptOutcome | (typeof OUTCOMES)[number]

/** What the laboratory did to a delivery. */
export interface Deed {
  readonly code: keyof typeof DEEDS
  /** Of a delay. */
  readonly ms?: number
}

/** In English, for the log's readers. */
export const DEEDS = {
  held: 'held back, later events went past',
  outage: 'outage of the receiver',
  lost: 'lost on purpose',
  delayed: 'delayed',
  cut: 'cut in the middle of the body',
  again: 'sent a second time',
} as const

/** Why nothing was sent, or why an attempt failed: a stable code, and a sentence that may say more. */
export interface Failure {
  readonly code:
    | 'plan'
    | 'queue-full'
    | 'subscription-removed'
    | 'stopped'
    | 'timeout'
    | 'cut'
    | 'no-answer'
    | 'answer-broken'
    | 'certificate'
    | 'not-tls'
    | 'connection'
  readonly message: string
}

/** An entry of the execution log as it is written. */
export interface NewEntry {
  readonly type: EntryType
  /** The call that caused it, so that its caller can follow it; null for traffic. */
  readonly run: string | null
  /** Of the event; null when the entry is about none. */
  readonly seq: number | null
  readonly kind: string
  readonly subject: string | null
  readonly cause: string
  /** Subscription, or the receiving plugin. */
  readonly target: { readonly id: number; readonly name: string }
  readonly outcome: Outcome
  /** The event did not reach this target, by whatever cause. False for an entry about a further sending of the same event. */
  readonly lost: boolean
  readonly laboratory: readonly Deed[]
  readonly error: Failure | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number | null
  readonly method: string
  readonly url: string
  /** Null when nothing was sent. */
  readonly requestHead: string | null
  readonly requestBody: Buffer
  readonly answer: Answer | null
}

/** An event that occurred, with or without subscribers: needed to tell what superseded a lost one. */
export interface Occurrence {
  readonly seq: number
  readonly kind: string
  readonly subject: string
  /** `data.StatusId` where the event carries one. */
  readonly statusId: number | null
  readonly at: number
}
