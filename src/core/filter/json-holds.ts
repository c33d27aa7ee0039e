import { compareDecimals, parseDecimal } from '../json/decimal.ts'
import { elementsOf, memberNamed, sourceOf, stringOf } from '../json/read.ts'
import { codeOf, type JsonTree, NUMBER, STRING } from '../json/tree.ts'
import { asciiLower, fits } from './glob.ts'
import type { Comparison, JsonStep, JsonTest } from './tree.ts'

/** Whether any value at the path passes any of the tests. */
export function jsonHolds(
  tree: JsonTree,
  path: readonly JsonStep[],
  tests: readonly JsonTest[],
  node = 0,
  at = 0,
): boolean {
  const step = path[at]
  if (step === undefined) return tests.some((test) => passes(tree, node, test))
  if ('member' in step) {
    const member = memberNamed(tree, node, step.member)
    return member !== undefined && jsonHolds(tree, path, tests, member, at + 1)
  }
  let index = 0
  for (const element of elementsOf(tree, node)) {
    if ('every' in step) {
      if (jsonHolds(tree, path, tests, element, at + 1)) return true
    } else if (index === step.index) return jsonHolds(tree, path, tests, element, at + 1)
    index += 1
  }
  return false
}

function passes(tree: JsonTree, node: number, test: JsonTest): boolean {
  const code = codeOf(tree, node)
  switch (test.test) {
    case 'present':
      return true
    case 'literal':
      return code !== STRING && sourceOf(tree, node) === test.literal
    case 'number':
      return code === NUMBER && ordered(compareNumbers(sourceOf(tree, node), test.number), test.compare)
    case 'between': {
      if (code !== NUMBER) return false
      const source = sourceOf(tree, node)
      return (
        ordered(compareNumbers(source, test.from), '>=') && ordered(compareNumbers(source, test.to), '<=')
      )
    }
    case 'order': {
      if (code !== STRING) return false
      const text = stringOf(tree, node)
      return ordered(text < test.text ? -1 : text > test.text ? 1 : 0, test.compare)
    }
    case 'like':
      return code === STRING && fits(asciiLower(test.pattern), asciiLower(stringOf(tree, node)))
  }
}

/** Undefined for numbers that are too long to compare. */
function compareNumbers(a: string, b: string): number | undefined {
  const [first, second] = [parseDecimal(a), parseDecimal(b)]
  return first && second && compareDecimals(first, second)
}

function ordered(order: number | undefined, compare: Comparison): boolean {
  if (order === undefined) return false
  switch (compare) {
    case '=':
      return order === 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
  }
}
