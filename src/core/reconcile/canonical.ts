import { readWrittenDate, type WrittenDate } from '#catalog/date-time.ts'
import { formatDecimal, parseDecimal } from '../json/decimal.ts'
import { sourceOf, stringOf } from '../json/read.ts'
import { codeOf, type JsonTree, NUMBER, STRING } from '../json/tree.ts'
import { sameDate } from '../time/zone.ts'
import type { CanonicalValue } from './types.ts'

/** Fields of the accounting projection that are dates; everywhere else a date is a text like any other. */
export const DATE_FIELDS: ReadonlySet<string> = new Set(['IssuedAt', 'LimitDate'])
/** Longer texts are no numbers that a service writes as text. */
const MOST_DIGITS = 100

/**
 * A value in the form in which the two sides are compared (readings, Reconciling; accounting-sync, "Representation is not a difference"):
 * numbers as exact decimals, so that `14.00` is `14` and `"14"`; dates by what they say and how exactly; every other text as it is; null,
 * true and false as written. Lists and objects by their source.
 * @param field of the accounting projection
 */
export function canonical(tree: JsonTree, node: number, field: string): CanonicalValue {
  const source = sourceOf(tree, node)
  switch (codeOf(tree, node)) {
    case NUMBER: {
      const decimal = parseDecimal(source)
      return { type: 'number', key: decimal ? formatDecimal(decimal) : source, source }
    }
    case STRING: {
      const text = stringOf(tree, node)
      const date = DATE_FIELDS.has(field) ? dateOf(text) : undefined
      if (date) return { type: 'date', key: '', source, date }
      const decimal = text.length <= MOST_DIGITS ? parseDecimal(text) : undefined
      return decimal
        ? { type: 'number', key: formatDecimal(decimal), source }
        : { type: 'text', key: text, source }
    }
    default:
      return { type: 'other', key: source, source }
  }
}

let latest: { readonly text: string; readonly date: WrittenDate | undefined } = { text: '', date: undefined }

/** The issue date is asked for twice, for itself and for the fingerprint; reading it costs a tenth of all the rest. */
export function dateOf(text: string): WrittenDate | undefined {
  if (text !== latest.text) latest = { text, date: readWrittenDate(text) }
  return latest.date
}

/** Whether two values are the same, however they are written. @param zone IANA name: dates without offset are local there */
export const sameValue = (a: CanonicalValue, b: CanonicalValue, zone: string): boolean =>
  a.date && b.date ? sameDate(a.date, b.date, zone) : a.type === b.type && a.key === b.key
