import type { CoverageSpan, CoverageState } from '#contract/status.ts'
import type { Statements } from '../sql/connection.ts'

/*
 * Each function is one change within the caller's transaction. Spans neither overlap nor leave gaps: each begins where the
 * previous one ends. An earlier instant (the clock was set back) counts as that end.
 */

/** Ends the current span at `at` and begins another. */
export function enterState(statements: Statements, state: CoverageState, at: number): void {
  const from = extendTo(statements, at)
  statements.run`INSERT INTO coverage (state, from_ms, to_ms) VALUES (${state}, ${from}, ${from})`
}

/**
 * Records that the machine slept or Acuse did not run: a span of `state` from the end of the last span to `to`.
 * @param resume whether a span with the former state begins after it
 */
export function noteHole(statements: Statements, state: CoverageState, to: number, resume: boolean): void {
  const last = lastStretch(statements)
  if (!last || to <= last.to) return
  enterStretch(statements, state, last.to, to)
  if (resume) enterStretch(statements, last.state, to, to)
}

/** Removes the sleep that was recorded up to an instant when the clock was set ahead to it, and everything after it. */
export function forgetJump(statements: Statements, ahead: number): void {
  statements.run`DELETE FROM coverage WHERE id >=
    (SELECT max(id) FROM coverage WHERE state = 'asleep' AND to_ms = ${ahead})`
}

/** Records that Acuse did not run until `to`, or was being updated. Deliveries after the last beat, before a crash, extend the last span. */
export function noteAbsence(statements: Statements, to: number): void {
  const last = lastStretch(statements)
  if (last?.state === 'listening') {
    const row = statements.one`SELECT received_at FROM delivery WHERE synthetic = 0
      AND id NOT IN (SELECT delivery_id FROM imported) ORDER BY id DESC LIMIT 1`
    const came = Math.ceil(Number(row?.received_at ?? 0) / 1000)
    if (came > last.to && came <= to) extendTo(statements, came)
  }
  // After an update, the time until the new version starts is part of it.
  if (last?.state === 'update') extendTo(statements, to)
  else noteHole(statements, 'off', to, false)
}

/**
 * A delivery filed after a restart proves that Acuse was listening at its arrival: shortens the recorded absence
 * accordingly.
 * @param at its arrival, milliseconds since the epoch; has no effect outside of an absence
 */
export function disproveAbsence(statements: Statements, at: number): void {
  const absence = statements.one`SELECT id FROM coverage WHERE state = 'off' AND from_ms < ${at}
    AND to_ms >= ${at} ORDER BY id DESC LIMIT 1`
  if (!absence) return
  const before = statements.one`SELECT id, state FROM coverage WHERE id < ${Number(absence.id)} ORDER BY id DESC LIMIT 1`
  if (before?.state !== 'listening') return
  statements.run`UPDATE coverage SET to_ms = ${at} WHERE id = ${Number(before.id)}`
  statements.run`UPDATE coverage SET from_ms = ${at} WHERE id = ${Number(absence.id)}`
}

/** Extends the current span. @returns its end */
export function extendTo(statements: Statements, at: number): number {
  const last = lastStretch(statements)
  if (!last) return at
  const end = Math.max(at, last.to)
  statements.run`UPDATE coverage SET to_ms = ${end} WHERE id = ${last.id}`
  return end
}

/** Replaces the record by that of a shared log. */
export function replaceSpans(statements: Statements, spans: readonly CoverageSpan[]): void {
  statements.run`DELETE FROM coverage`
  for (const { state, from, to, receivers } of spans)
    statements.insert('INTO coverage', {
      ...{ state, fromMs: from, toMs: to },
      receivers: receivers ? JSON.stringify(receivers) : null,
    })
}

function enterStretch(statements: Statements, state: string, from: number, to: number): void {
  statements.run`INSERT INTO coverage (state, from_ms, to_ms) VALUES (${state}, ${from}, ${to})`
}

function lastStretch(statements: Statements): { id: number; state: string; to: number } | undefined {
  const row = statements.one`SELECT id, state, to_ms FROM coverage ORDER BY id DESC LIMIT 1`
  return row && { id: Number(row.id), state: String(row.state), to: Number(row.to_ms) }
}
