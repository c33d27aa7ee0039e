import { pairsOf } from '#contract/headers.ts'
import { compareDecimals, parseDecimal } from '../json/decimal.ts'
import {
  codeOf,
  elementsOf,
  type JsonTree,
  memberNamed,
  NUMBER,
  STRING,
  sourceOf,
  stringOf,
} from '../json/tree.ts'
import { compileRegex } from './regex.ts'
import { type Comparison, type JsonStep, type JsonTest, type OpenedLeaf, ORDERED } from './tree.ts'
import { asciiLower, fits } from './values.ts'

/** A delivery with the parts that its row lacks; each part is read on first use. */
export interface Opened {
  readonly url: string
  /** Flat list of names and values. */
  headers(): readonly string[]
  text(): string | null
  json(): JsonTree | null
  findings(): readonly string[]
}

const MOST_TEXT = 32 * 1024 * 1024

/** Compiles a condition on an opened delivery. The test never throws; an unusable expression matches nothing. */
export function compileOpened(leaf: OpenedLeaf): (opened: Opened) => boolean {
  switch (leaf.type) {
    case 'header':
      return (opened) =>
        [...pairsOf(opened.headers())].some(
          ([name, value]) =>
            name.toLowerCase() === leaf.name &&
            leaf.patterns.some((pattern) => fits(pattern, asciiLower(value))),
        )
    case 'finding':
      return (opened) => opened.findings().some((code) => leaf.codes.some((pattern) => fits(pattern, code)))
    case 'body':
      return (opened) => {
        const text = opened.text()?.slice(0, MOST_TEXT).toLowerCase()
        return text !== undefined && leaf.texts.some((wanted) => text.includes(wanted))
      }
    case 'regex': {
      const regex = compileRegex(leaf.pattern, leaf.flags)
      if ('problem' in regex) return () => false
      return (opened) => regex.found(opened.url) || regex.found(opened.text() ?? '')
    }
    case 'json':
      return (opened) => {
        const tree = opened.json()
        return tree !== null && jsonHolds(tree, leaf.path, leaf.tests)
      }
  }
}

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

/** Undefined for numbers too long to compare. */
function compareNumbers(a: string, b: string): number | undefined {
  const [first, second] = [parseDecimal(a), parseDecimal(b)]
  return first && second && compareDecimals(first, second)
}

function ordered(order: number | undefined, compare: Comparison): boolean {
  return order !== undefined && ORDERED[compare](order)
}
