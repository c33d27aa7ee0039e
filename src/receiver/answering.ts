import type { DeliveryRow } from '#contract/delivery.ts'
import type { AnsweredBy, FaultEffect } from '#contract/faults.ts'
import { headerOf, pairsOf } from '#contract/headers.ts'
import { REPLAY_HEADER } from '#contract/values.ts'
import { analyse } from '#core/checks/analyse.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import type { FaultBook, FaultCandidate } from '#core/faults.ts'
import type { Opened } from '#core/filter/opened.ts'
import { scanJson } from '#core/json/scan.ts'
import type { NewDelivery, Replays, TargetAnswer } from '#core/ports.ts'
import { contentOfTarget, framed, type ReadyAnswer, wireBytes, withoutBody } from './answers.ts'
import type { ReadyEndpoint } from './rules.ts'

/** What can answer a stored delivery instead of its endpoint: fault rules first, then a forward's target. */
export interface Answering {
  readonly faults: Pick<FaultBook, 'active' | 'decide'>
  readonly replays: Pick<Replays, 'answers' | 'answerFor'> | null
}

export const NOBODY_ELSE: Answering = { faults: { active: () => false, decide: () => null }, replays: null }

/** An answer in place of the endpoint's. Delays count from the end of the body, in milliseconds. */
export type Fate =
  | {
      readonly type: 'answer'
      readonly by: AnsweredBy
      readonly answer: ReadyAnswer
      readonly delayMs: number
    }
  /** Sends `bytes`, an incomplete answer, and closes the connection. `answer` is the part to record. */
  | {
      readonly type: 'cut'
      readonly by: AnsweredBy
      readonly answer: ReadyAnswer
      readonly bytes: Buffer
      readonly delayMs: number
    }
  | { readonly type: 'hang' | 'reset'; readonly by: AnsweredBy; readonly delayMs: number }

/** Applies the effect of a fault rule to an endpoint. */
export function fateOf(effect: FaultEffect, endpoint: ReadyEndpoint, toHead: boolean): Fate {
  const { delayMs, content } = endpoint
  const by: AnsweredBy = { by: 'fault', effect: effect.type }
  switch (effect.type) {
    case 'status':
      return { type: 'answer', by, answer: told(framed(effect.status, content), toHead), delayMs }
    case 'delay': {
      const answer = toHead ? endpoint.answerToHead : endpoint.answer
      return { type: 'answer', by, answer, delayMs: delayMs + effect.ms }
    }
    case 'close-mid-answer':
      return { type: 'cut', by, ...cutAnswer(endpoint, toHead), delayMs }
    case 'hang':
      return { type: 'hang', by, delayMs: 0 }
    case 'reset':
      return { type: 'reset', by, delayMs }
  }
}

/** A target's answer, prepared for the sender; null when HTTP/1.1 cannot carry its status. */
export function fateFrom(given: TargetAnswer, endpoint: ReadyEndpoint, toHead: boolean): Fate | null {
  if (!(given.status >= 200 && given.status <= 999)) return null
  const content = contentOfTarget(given)
  const whole = framed(given.status, content)
  // Only the target knows the length that a GET would have, and no length is better than a wrong one.
  const answer = toHead ? { ...whole, headers: content.headers, body: NOTHING } : whole
  return { type: 'answer', by: { by: 'target', target: given.target }, answer, delayMs: endpoint.delayMs }
}

const NOTHING = Buffer.alloc(0)
/** Body to cut off when the endpoint has none. */
const FILLER = Buffer.alloc(1_024, ' ')

/** The head of an answer and half of its body; for HEAD, which has no body, half of the head. */
function cutAnswer({ content, answer }: ReadyEndpoint, toHead: boolean) {
  // A sender expects no body after 204, 205 or 304.
  const status = answer.status === 204 || answer.status === 205 || answer.status === 304 ? 200 : answer.status
  const body = content.body.length > 1 ? content.body : FILLER
  const whole = framed(status, { headers: content.headers, body })
  if (toHead) {
    const head = wireBytes(withoutBody(whole))
    return { answer: withoutBody(whole), bytes: head.subarray(0, head.length >> 1) }
  }
  const half = { ...whole, body: body.subarray(0, body.length >> 1) }
  return { answer: half, bytes: wireBytes(half) }
}

const told = (answer: ReadyAnswer, toHead: boolean) => (toHead ? withoutBody(answer) : answer)

/** A stored delivery for fault rules. Encoded bodies and bodies on the disk are left out: decoding would delay every other answer. */
export function candidateOf(delivery: NewDelivery, id: number): FaultCandidate {
  return {
    endpoint: delivery.endpoint,
    row: (judged) => rowOf(delivery, id, judged ? analysisOf(delivery) : null),
    opened: () => openedOf(delivery),
  }
}

function openedOf({ url, headers, body }: NewDelivery): Opened {
  const plain = body instanceof Uint8Array && !isCoded(headers)
  let text: string | null | undefined
  const read = (): string | null => {
    text ??= plain ? new TextDecoder().decode(body) : null
    return text
  }
  return {
    url,
    headers: () => headers,
    text: read,
    json() {
      const tree = scanJson(read() ?? '')
      return 'problem' in tree ? null : tree
    },
    findings: () => [],
  }
}

function rowOf(delivery: NewDelivery, id: number, analysis: Analysis | null): DeliveryRow {
  const { receivedAt, endpoint, method, url, rejected, malformed, headers } = delivery
  return {
    id,
    receivedAt,
    endpoint,
    method,
    url,
    rejected,
    malformed,
    size: delivery.bodySize,
    answer: delivery.answer?.status ?? null,
    tookUs: null,
    event: analysis?.event ?? null,
    kind: analysis?.kind ?? null,
    group: analysis?.group ?? null,
    documentId: analysis?.documentId ?? null,
    number: analysis?.number ?? null,
    statusId: analysis?.statusId ?? null,
    timestamp: analysis?.timestamp?.text ?? null,
    verdict: analysis?.verdict ?? null,
    findings: analysis?.findingCount ?? 0,
    marks: headerOf(headers, REPLAY_HEADER) === null ? [] : ['replay'],
    attempts: 0,
    lastAttempt: null,
    note: false,
    tags: [],
    document: null,
  }
}

function analysisOf({ method, headers, body }: NewDelivery): Analysis | null {
  if (!(body instanceof Uint8Array) || isCoded(headers)) return null
  return analyse({ method, contentType: headerOf(headers, 'Content-Type'), body: { bytes: body } })
}

function isCoded(headers: readonly string[]): boolean {
  for (const [name, value] of pairsOf(headers))
    if (name.toLowerCase() === 'content-encoding' && !/^[\s,]*(?:identity[\s,]*)*$/i.test(value)) return true
  return false
}
