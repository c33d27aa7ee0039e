import { compareDecimals, parseDecimal } from '../json/decimal.ts'
import { patternOf } from './glob.ts'
import type { Value } from './tokens.ts'
import { COMPARISONS, type JsonStep, type JsonTest } from './tree.ts'

const STEP = /\.([\p{L}\p{N}_$-]+)|\[(?:(\d{1,9})|(\*)|"((?:[^"\\]|\\[\s\S])*)")\]/uy
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Limits the recursion of functions that follow a path. */
const MOST_STEPS = 50

/** @param text such as `$.data.Lines[*].Code`, as matched by the tokenizer. @returns undefined when it has too many steps */
export function readPath(text: string): JsonStep[] | undefined {
  const steps: JsonStep[] = []
  STEP.lastIndex = 1
  for (let found = STEP.exec(text); found; found = STEP.exec(text)) {
    const [, member, index, every, quoted] = found
    if (member !== undefined) steps.push({ member })
    else if (index !== undefined) steps.push({ index: Number(index) })
    else if (every !== undefined) steps.push({ every: true })
    else steps.push({ member: (quoted ?? '').replace(/\\(["\\])/g, '$1').toWellFormed() })
    if (steps.length > MOST_STEPS) return undefined
  }
  return steps
}

/** Parses one value of a path condition; a quoted value is always text. */
export function readTest({ text, quoted }: Value): JsonTest {
  if (quoted) return { test: 'like', pattern: patternOf(text, 'none') }
  if (text === '*') return { test: 'present' }
  const compare = COMPARISONS.find((sign) => text.startsWith(sign))
  if (compare) {
    const rest = text.slice(compare.length)
    if (NUMBER.test(rest)) return { test: 'number', compare, number: rest }
    return { test: 'order', compare, text: rest.toWellFormed() }
  }
  if (text === 'true' || text === 'false' || text === 'null') return { test: 'literal', literal: text }
  if (NUMBER.test(text)) return { test: 'number', compare: '=', number: text }
  const dots = text.indexOf('..')
  const [from, to] = [text.slice(0, dots), text.slice(dots + 2)]
  if (dots >= 0 && (from === '' || NUMBER.test(from)) && (to === '' || NUMBER.test(to))) {
    if (from !== '' && to !== '') return { test: 'between', from, to }
    if (from !== '') return { test: 'number', compare: '>=', number: from }
    if (to !== '') return { test: 'number', compare: '<=', number: to }
  }
  return { test: 'like', pattern: patternOf(text, 'none') }
}

export function isReversed(test: JsonTest): boolean {
  if (test.test !== 'between') return false
  const [from, to] = [parseDecimal(test.from), parseDecimal(test.to)]
  return from !== undefined && to !== undefined && compareDecimals(from, to) > 0
}
