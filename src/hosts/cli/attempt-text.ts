import type { AttemptRow } from '#contract/replay.ts'
import type { Paint, Shade } from './colours.ts'
import { clock, utc } from './records.ts'
import { visible } from './visible.ts'

/** What --json prints of an attempt; names and order are fixed, people script against them. */
export function attemptRecord(row: AttemptRow) {
  return {
    attempt: row.id,
    delivery: row.deliveryId,
    target: row.target,
    method: row.method,
    url: row.url,
    startedAt: utc(row.startedAt),
    durationMs: row.tookUs === null ? null : row.tookUs / 1_000,
    state: row.state,
    status: row.status,
    ok: row.ok,
    error: row.error === null ? null : { code: row.error.code, message: row.error.message },
    try: row.tryNumber,
    again: row.again,
  }
}

/** An attempt as one line for people: when, which delivery, what came back, how long it took, where it went. */
export function attemptLine(row: AttemptRow, paint: Paint): string {
  const facts = [
    clock(row.startedAt),
    `#${row.deliveryId}`.padEnd(8),
    paint(shadeOf(row), (row.status === null ? '–' : String(row.status)).padStart(3)),
    took(row.tookUs).padStart(8),
    visible(`${row.method} ${row.url}`),
    ...(row.tryNumber > 1 ? [`try ${row.tryNumber}`] : []),
    ...(row.again ? ['may have arrived before'] : []),
  ]
  const error = row.error === null ? '' : `\n  ${visible(row.error.message)}`
  const redirect = isRedirect(row.status)
    ? '\n  A redirect is not followed; give the address that it leads to.'
    : ''
  return `${facts.join('  ')}${error}${redirect}\n`
}

const isRedirect = (status: number | null): boolean =>
  status !== null && status >= 301 && status <= 308 && status !== 304

export function shadeOf(row: AttemptRow): Shade | null {
  if (row.ok === null) return null
  return row.ok ? 'good' : 'bad'
}

/** @param micros microseconds, or null where nothing was measured */
export function took(micros: number | null): string {
  if (micros === null) return ''
  const millis = micros / 1_000
  if (millis >= 10_000) return `${(millis / 1_000).toFixed(1)} s`
  return `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`
}
