import { readTimestamp } from '../checks/timestamp.ts'
import { formatDecimal, parseDecimal } from '../json/decimal.ts'
import { sourceOf, stringOf } from '../json/read.ts'
import { codeOf, type JsonTree, NUMBER, STRING } from '../json/tree.ts'
import type { CanonicalValue } from './types.ts'

/**
 * A value in the form in which the two sides are compared (readings, Reconciling): numbers as exact decimals, so that `14.00` is `14`;
 * date-times with offset by their instant; every other text as it is; null, true and false as written. Lists and objects by their source.
 */
export function canonical(tree: JsonTree, node: number): CanonicalValue {
  const source = sourceOf(tree, node)
  switch (codeOf(tree, node)) {
    case NUMBER: {
      const decimal = parseDecimal(source)
      return { type: 'number', key: decimal ? formatDecimal(decimal) : source, source }
    }
    case STRING: {
      const text = stringOf(tree, node)
      const read = readTimestamp(text)
      return 'instant' in read
        ? { type: 'instant', key: String(read.instant), source }
        : { type: 'text', key: text, source }
    }
    default:
      return { type: 'other', key: source, source }
  }
}

export const sameValue = (a: CanonicalValue, b: CanonicalValue): boolean =>
  a.type === b.type && a.key === b.key
