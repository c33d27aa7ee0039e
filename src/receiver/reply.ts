import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnsweredBy, FaultEffect } from '#contract/faults.ts'
import type { NewDelivery } from '#core/ports.ts'
import { candidateOf, type Fate, fateFrom, fateOf } from './answering.ts'
import { DEFECT, NO_ANSWER, type ReadyAnswer } from './answers.ts'
import type { Connection } from './connection.ts'
import type { Context } from './context.ts'
import type { ReadyEndpoint } from './rules.ts'

/** A stored request that waits for its answer. */
export interface Stored {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** The request's place among those of the connection. */
  readonly place: number
  readonly endpoint: ReadyEndpoint
  readonly id: number
  /** `performance.now()` at the head's arrival, and at the body's last byte. */
  readonly startedAt: number
  readonly readAt: number
}

/** Answers an accepted and stored delivery by its endpoint, a fault rule or a forward's target. */
export function reply(context: Context, stored: Stored, delivery: NewDelivery, own: ReadyAnswer): void {
  const { faults, replays } = context.answering
  if (faults.active()) {
    const effect = faultFor(context, delivery, stored.id)
    if (effect) {
      meet(context, stored, fateOf(effect, stored.endpoint, isHead(stored)))
      return
    }
  }
  // No target answers for a disabled endpoint.
  if (replays !== null && stored.endpoint.enabled && replays.answers()) {
    const given = within(context.times.target, replays.answerFor(stored.id))
    given
      .then((answer) => {
        const fate = answer && fateFrom(answer, stored.endpoint, isHead(stored))
        if (fate) meet(context, stored, fate)
        else answerItself(context, stored, own)
      })
      .catch((error: unknown) => context.warn(`A delivery could not be answered: ${String(error)}`))
    return
  }
  answerItself(context, stored, own)
}

/** Sends an answer at once through Node's HTTP layer, and records its duration. */
export function respond(context: Context, stored: Stored, answer: ReadyAnswer, by: AnsweredBy | null): void {
  const reached = stored.connection.reaches(stored.place)
  send(context, stored, answer)
  if (by) record(context, stored, by, answer, reached)
  else toldOf(context, stored, reached)
}

/** Sends an answer that ends the connection; null when the sender has left. */
export function refuse(context: Context, stored: Stored, answer: ReadyAnswer | null): void {
  const reached = stored.connection.reaches(stored.place)
  stored.connection.refuse(answer, stored.place)
  if (answer) toldOf(context, stored, reached)
}

/** Records the duration of an answer. @param reached false: the sender had left, so there was no answer and no duration */
function toldOf(context: Context, stored: Stored, reached: boolean): void {
  if (reached) context.capture.answered(stored.id, tookUs(stored))
  else context.capture.answered(stored.id, null, NO_ANSWER)
}

const isHead = ({ request }: Stored) => request.method === 'HEAD'
const tookUs = ({ startedAt }: Stored) => Math.round((performance.now() - startedAt) * 1000)

/** The effect of the first matching fault rule. Never throws, because the stored delivery must get an answer. */
function faultFor(context: Context, delivery: NewDelivery, id: number): FaultEffect | null {
  try {
    return context.answering.faults.decide(candidateOf(delivery, id))
  } catch (error) {
    context.warn(`The fault rules could not be applied to a delivery: ${String(error)}`)
    return null
  }
}

/** Resolves to null after `ms`, or when the answer fails: the attempt records the reason, and the endpoint answers. */
function within<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, null).unref()
    const done = (value: T | null) => {
      clearTimeout(timer)
      resolve(value)
    }
    answer.then(done, () => done(null))
  })
}

function answerItself(context: Context, stored: Stored, own: ReadyAnswer): void {
  whenDue(
    stored,
    stored.endpoint.delayMs,
    () => respond(context, stored, own, null),
    () => toldOf(context, stored, false),
  )
}

function meet(context: Context, stored: Stored, fate: Fate): void {
  const { connection, place } = stored
  const answer = 'answer' in fate ? fate.answer : null
  const unread = () => record(context, stored, fate.by, answer, false)
  const end = () => {
    switch (fate.type) {
      case 'answer':
        respond(context, stored, fate.answer, fate.by)
        return
      case 'hang':
        unread()
        connection.endAt(place, () => connection.hang())
        return
      case 'reset':
        unread()
        connection.endAt(place, () => connection.reset())
        return
      case 'cut': {
        if (!connection.reaches(place)) return unread()
        const stay = connection.onLeft(unread)
        connection.endAt(place, () => {
          stay()
          record(context, stored, fate.by, fate.answer, connection.reaches(place))
          connection.sendLast(fate.bytes)
        })
      }
    }
  }
  whenDue(stored, fate.delayMs, end, unread)
}

/** Runs `run` after a delay from the end of the body, storage included. @param left runs instead when the connection closes */
function whenDue({ connection, readAt }: Stored, delayMs: number, run: () => void, left: () => void): void {
  const rest = delayMs === 0 ? 0 : delayMs - (performance.now() - readAt)
  if (rest <= 0 || connection.socket.closed) {
    run()
    return
  }
  const stay = connection.onLeft(() => {
    clearTimeout(timer)
    left()
  })
  const timer = setTimeout(() => {
    stay()
    run()
  }, rest).unref()
}

function record(
  context: Context,
  stored: Stored,
  by: AnsweredBy,
  answer: ReadyAnswer | null,
  reached: boolean,
): void {
  context.capture.answered(stored.id, reached ? tookUs(stored) : null, { by, answer })
}

function send(context: Context, { response, connection }: Stored, answer: ReadyAnswer): void {
  if (context.stopping()) response.shouldKeepAlive = false
  try {
    response.writeHead(answer.status, answer.headers as string[])
    if (answer.body.length > 0) response.end(answer.body)
    else response.end()
  } catch {
    // The delivery is stored, so no 503. Node checks a head before sending it; if a part was sent, only closing can tell the sender.
    if (response.headersSent) {
      connection.socket.destroy()
      return
    }
    response.writeHead(DEFECT.status, DEFECT.headers as string[])
    response.end(DEFECT.body)
  }
}
