import { InvalidArgumentError } from 'commander'
import type { FaultEffect } from '#contract/faults.ts'
import { FAULT_TYPES } from '#contract/values.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST_DELAY_MS = 600_000

/** Milliseconds of a length of time such as `500ms`, `2.5s` or `10m`; undefined when it is none. */
function lengthOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS[unit] ?? 0))
}

/** Reads what --effect takes. */
export function effectFrom(text: string): FaultEffect {
  const [name = '', value, ...rest] = text.split(':')
  if (rest.length === 0)
    switch (name) {
      case 'status':
        return statusFrom(value)
      case 'delay':
        return delayFrom(value)
      case 'hang':
      case 'reset':
      case 'close-mid-answer':
        if (value === undefined) return { type: name }
    }
  const forms = FAULT_TYPES.map((type) =>
    type === 'status' ? 'status:503' : type === 'delay' ? 'delay:2s' : type,
  )
  throw new InvalidArgumentError(`Give one of ${forms.join(', ')}.`)
}

function statusFrom(value = ''): FaultEffect {
  const status = /^\d{3}$/.test(value) ? Number(value) : 0
  if (status < 200 || status > 599)
    throw new InvalidArgumentError('Give status: with a number from 200 to 599, such as status:503.')
  return { type: 'status', status }
}

function delayFrom(value = ''): FaultEffect {
  const ms = /^\d{1,9}$/.test(value) ? Number(value) : (lengthOf(value) ?? 0)
  if (ms < 1 || ms > LONGEST_DELAY_MS)
    throw new InvalidArgumentError('Give delay: with 1 ms to 10 minutes, such as delay:2000 or delay:2s.')
  return { type: 'delay', ms }
}

/** Reads a probability from 0 to 1, also as a percentage. */
export function probabilityFrom(text: string): number {
  const [, digits = '', percent] = /^(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})(%?)$/.exec(text) ?? []
  const value = digits === '' ? Number.NaN : Number(digits) / (percent ? 100 : 1)
  if (!(value <= 1)) throw new InvalidArgumentError('Give a number from 0 to 1, such as 0.3 or 30%.')
  return value
}

/** A time of the day, or a date with a time, in this machine's zone unless it says another. */
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/

/**
 * Reads what --until takes.
 * @param now milliseconds since the epoch
 * @returns the end in milliseconds since the epoch; a time of the day that is past is tomorrow's
 */
export function untilFrom(text: string, now: number): number {
  const length = lengthOf(text)
  const end = length === undefined ? instantOf(text, now) : now + length
  if (!Number.isFinite(end))
    throw new InvalidArgumentError(
      'Give a length of time such as 10m, a time such as 17:30, or 2026-11-21T17:30.',
    )
  if (end <= now) throw new InvalidArgumentError('This time is past.')
  return end
}

function instantOf(text: string, now: number): number {
  const [, hours, minutes, seconds = '0'] = TIME.exec(text) ?? []
  if (hours === undefined) return DATE_AND_TIME.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  const day = new Date(now)
  day.setHours(Number(hours), Number(minutes), Number(seconds), 0)
  if (day.getTime() <= now) day.setDate(day.getDate() + 1)
  return day.getTime()
}
