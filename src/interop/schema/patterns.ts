import { readDate } from '#catalog/date-time.ts'

/** 8-4-4-4-12 hex digits of either case (readings, data per kind). */
export const UUID_PATTERN = `^${[8, 4, 4, 4, 12].map((length) => `[0-9A-Fa-f]{${length}}`).join('-')}$`

/** Longest text that `readTimestamp` reads. */
export const TIMESTAMP_LENGTH = 100

/** First two digits of a year, by their remainder modulo 4: the calendar repeats every 400 years. */
const CENTURIES = [
  '(?:[02468][048]|[13579][26])',
  '(?:[02468][159]|[13579][37])',
  '(?:[02468][26]|[13579][048])',
  '(?:[02468][37]|[13579][159])',
]

const two = (value: number): string => String(value).padStart(2, '0')

/** @returns a pattern of the years that have this day, such as `-366` */
function yearsWith(day: string): string {
  const years = CENTURIES.flatMap((century, rest) => {
    const found = Array.from({ length: 100 }, (_, year) => two(year)).filter(
      (year) => readDate(`${20 + rest}${year}${day}`) !== undefined,
    )
    return found.length === 0 ? [] : [`${century}(?:${found.join('|')})`]
  })
  return `(?:${years.join('|')})`
}
const LEAP = yearsWith('-366')
const LONG = yearsWith('-W53-1')

/** Date, time and offset as `readTimestamp` accepts them. @param dash and colon: the separators of the extended form, or nothing */
function form(dash: '-' | '', colon: ':' | ''): string {
  const monthDays = [
    `(?:0[13578]|1[02])${dash}(?:0[1-9]|[12][0-9]|3[01])`,
    `(?:0[469]|11)${dash}(?:0[1-9]|[12][0-9]|30)`,
    `02${dash}(?:0[1-9]|1[0-9]|2[0-8])`,
  ]
  const days = [
    ...monthDays,
    '(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-5])',
    `W(?:0[1-9]|[1-4][0-9]|5[0-2])${dash}[1-7]`,
  ]
  const date = [
    `[0-9]{4}${dash}(?:${days.join('|')})`,
    `${LEAP}${dash}(?:02${dash}29|366)`,
    `${LONG}${dash}W53${dash}[1-7]`,
  ]
  const time = [
    `(?:[01][0-9]|2[0-3])${colon}[0-5][0-9](?:${colon}(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?`,
    `24${colon}00(?:${colon}00(?:[.,]0+)?)?`,
  ]
  return `(?:${date.join('|')})T(?:${time.join('|')})`
}

/**
 * ISO 8601 date-time with UTC offset, as `readTimestamp` reads it (readings, The envelope). One difference: it accepts the second 60 in any
 * minute, since a pattern cannot compute the instant at which a leap second is possible.
 */
export const TIMESTAMP_PATTERN = `^(?:${form('-', ':')}|${form('', '')})(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)$`
