import type { Group, Kind } from '#catalog/kinds.ts'
import type { DriftFact } from './drift.ts'
import type { AnsweredBy } from './faults.ts'

/** Worst finding of a delivery, in rising order (readings, "Three kinds of knowledge"). */
export const VERDICTS = ['valid', 'noted', 'warning', 'invalid', 'unreadable'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Level of one finding; each makes the verdict of the same place in VERDICTS (`note` makes `noted`, …). */
export const LEVELS = ['note', 'warning', 'error', 'unreadable'] as const
export type Level = (typeof LEVELS)[number]

/** One result of a check. Its sentence is rendered from `code` and `params` by core/checks/messages. */
export interface Finding {
  readonly level: Level
  /** Stable, kebab-case; people filter and script by it. */
  readonly code: string
  /** RFC 6901 pointer into the body, naming the member meant even when it is absent. */
  readonly pointer: string
  /** Values for the sentence: what was expected, what came (shortened), names. Plain text, never markup. */
  readonly params: Readonly<Record<string, string | number>>
  /** Section of the specification or of readings.md that the rule rests on. */
  readonly rule: string
  /** 1-based place in the decoded body, where it is known. Columns count UTF-16 code units. */
  readonly line?: number
  readonly column?: number
}

/**
 * Why a row is not a whole, well-formed request. `unparseable`: the HTTP parser gave up; `expectation`: an Expect header nobody can
 * meet; `connect`: a CONNECT request; `cut-off`: the connection ended before the body did; `timeout`: the sender was too slow;
 * `too-large`: the body passed the limit and only its head was kept.
 */
export const MALFORMED = ['unparseable', 'expectation', 'connect', 'cut-off', 'timeout', 'too-large'] as const
export type Malformed = (typeof MALFORMED)[number]

/**
 * What the delivery's place among the others says about it (readings, Delivery). `replay`: it carries the header of a replay, so it
 * is one of ours come back, and is not forwarded. `synthetic`: rebuilt from a sync item, never received. `drift`: it showed something
 * never observed before, which says nothing about its verdict.
 */
export const MARKS = ['duplicate', 'late', 'out-of-order', 'replay', 'drift', 'synthetic', 'pinned'] as const
export type Mark = (typeof MARKS)[number]

/** One narrow row of the list. Everything that analysis derives is null until it has run. */
export interface DeliveryRow {
  /** Order of arrival; never reused. */
  readonly id: number
  /** Microseconds since the epoch, UTC. */
  readonly receivedAt: number
  /** Name of the endpoint at the time. */
  readonly endpoint: string
  readonly method: string
  /** Raw request target as it came, with credentials in it covered. */
  readonly url: string
  /** Body bytes as received, before any decoding. */
  readonly size: number
  /** Status answered; null when nothing could be answered. */
  readonly answer: number | null
  /** From the head's arrival to the answer handed to the socket; null when unknown (a crash in between). */
  readonly tookUs: number | null
  readonly rejected: boolean
  readonly malformed: Malformed | null
  /** `Event` as sent (at most 200 characters), also when it is none of the 28. */
  readonly event: string | null
  readonly kind: Kind | null
  readonly group: Group | null
  readonly documentId: string | null
  readonly number: string | null
  readonly statusId: number | null
  /** `Timestamp` as sent. */
  readonly timestamp: string | null
  readonly verdict: Verdict | null
  readonly findings: number
  readonly marks: readonly Mark[]
  /** How often it was sent to a target, whatever came of it. */
  readonly attempts: number
  /** Whether somebody wrote a note about it; its text is in the detail. */
  readonly note: boolean
  /** In lower case, sorted. */
  readonly tags: readonly string[]
}

/** Stands in the place of a credential within a request target. */
export const MASKED = /<masked: \d+ characters>/g

export interface Header {
  readonly name: string
  readonly value: string
  /** True when the value is a secret and was replaced by a description of it. */
  readonly masked: boolean
}

export interface DeliveryDetail extends DeliveryRow {
  readonly httpVersion: string
  readonly remoteAddress: string
  readonly remotePort: number
  /** Bytes of the body that are kept: less than `size` where it was cut. */
  readonly bodyKept: number
  /** From the head's arrival to the end of the body. */
  readonly receivingUs: number
  readonly headers: readonly Header[]
  readonly trailers: readonly Header[]
  /** Null: the endpoint itself. */
  readonly answeredBy: AnsweredBy | null
  readonly answered: { readonly headers: readonly Header[]; readonly bodyBase64: string } | null
  /** At most FINDINGS_KEPT; `findings` has the full count. */
  readonly findingList: readonly Finding[]
  /** Null when there is none. */
  readonly noteText: { readonly text: string; readonly at: number } | null
  /** What it showed first, by place; nothing while its kind is being learned. */
  readonly drift: readonly DriftFact[]
  /** Content-Encoding codings that the decoded view undoes, outermost last; empty when the body is plain. */
  readonly codings: readonly string[]
}
export const FINDINGS_KEPT = 500

/** A slice of a body. `decoded` undoes Content-Encoding within limits; `raw` is byte for byte what came. */
export interface BodySlice {
  readonly bytesBase64: string
  /** Total bytes of the asked view. */
  readonly total: number
  /** Set when the asked view cannot be given (a coding failed, or its limit was passed); `bytesBase64` is then empty. */
  readonly problem: string | null
}
