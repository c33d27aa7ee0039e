import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { eachDuplicateKey } from '#core/json/duplicates.ts'
import { pointerToken, pointerWalk, resolvePointer } from '#core/json/pointer.ts'
import { placeFinder, scanJson } from '#core/json/scan.ts'
import {
  elementsOf,
  type JsonTree,
  memberNamed,
  membersOf,
  shapeOf,
  sourceOf,
  stringOf,
} from '#core/json/tree.ts'
import { treeOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

/** Converts a tree to the value of JSON.parse: the last of duplicate names wins, and `__proto__` is an ordinary name. */
function plainValue(tree: JsonTree, node = 0): unknown {
  const shape = shapeOf(tree, node)
  if (shape === 'array') return [...elementsOf(tree, node)].map((element) => plainValue(tree, element))
  if (shape !== 'object') return JSON.parse(sourceOf(tree, node))
  const members = [...membersOf(tree, node)]
  return Object.fromEntries(members.map(({ key, value }) => [stringOf(tree, key), plainValue(tree, value)]))
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const wrong = [
  ['', 'empty', 0],
  [' \n', 'empty', 2],
  ['{', 'end', 1],
  ['{"a":1', 'end', 6],
  ['tru', 'end', 3],
  ['"abc', 'end', 4],
  ['"\\u12', 'end', 5],
  ['-', 'end', 1],
  ['[1,]', 'unexpected', 3],
  ['{"a":1,}', 'unexpected', 7],
  ['{a:1}', 'unexpected', 1],
  ['[1}', 'unexpected', 2],
  ['nul!', 'unexpected', 3],
  ['\ufeff{}', 'unexpected', 0],
  ['NaN', 'unexpected', 0],
  ["{'a':1}", 'unexpected', 1],
  ['{} {}', 'trailing', 3],
  ['01', 'trailing', 1],
  ['"a\nb"', 'control', 2],
  ['"\\x"', 'escape', 2],
  ['"\\u12g4"', 'escape', 5],
  ['[1.]', 'number', 3],
  ['[1e+]', 'number', 4],
  ['[-a]', 'number', 2],
] as const
test.each(wrong)(
  'the tokenizer accepts what JSON.parse accepts: %j is refused: %s at %i',
  (text, problem, offset) => expect([parses(text), scanJson(text)]).toEqual([false, { problem, offset }]),
)
test('the tokenizer accepts what JSON.parse accepts: any JSON value, pretty or compact (property)', () =>
  forAll(300, [fc.jsonValue(), fc.constantFrom(0, 1, 2)], (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    expect(plainValue(treeOf(text))).toEqual(JSON.parse(text))
  }))
test('the tokenizer accepts what JSON.parse accepts: any text made of JSON pieces is accepted or refused alike (property)', () => {
  const piece = fc.constantFrom(
    ...[...words`{ } [ ] , : " "a" 1 - 0 .5 e9 true null é`, ' ', '\n', '\\', '\\u00'],
  )
  forAll(3000, [fc.array(piece, { maxLength: 12 })], (pieces) => {
    const text = pieces.join('')
    expect('problem' in scanJson(text)).toBe(!parses(text))
  })
})

const tree = treeOf('{"b":5.0,"a":[1e400,{"x\\u0079":9007199254740993}],"b":null}')
test('the tree keeps the text as sent: order, duplicates and digits', () => {
  expect(
    [...membersOf(tree, 0)].map(({ key, value }) => [stringOf(tree, key), sourceOf(tree, value)]),
  ).toEqual([
    ['b', '5.0'],
    ['a', '[1e400,{"x\\u0079":9007199254740993}]'],
    ['b', 'null'],
  ])
  expect(tree.depth).toBe(3)
})
test('the tree keeps the text as sent: elements and members by name, the last of duplicates winning', () => {
  const [first, second] = [...elementsOf(tree, memberNamed(tree, 0, 'a') ?? -1)]
  expect([sourceOf(tree, first ?? -1), shapeOf(tree, second ?? -1)]).toEqual(['1e400', 'object'])
  expect(sourceOf(tree, memberNamed(tree, second ?? -1, 'xy') ?? -1)).toBe('9007199254740993')
  expect(sourceOf(tree, memberNamed(tree, 0, 'b') ?? -1)).toBe('null')
  expect(memberNamed(tree, 0, 'toString')).toBeUndefined()
  expect([...elementsOf(tree, 0)]).toEqual([])
})

test('pointers (RFC 6901): every node resolves back from its own pointer (property)', () =>
  forAll(200, [fc.jsonValue(), fc.boolean()], (value, backwards) => {
    const tree = treeOf(JSON.stringify(value))
    const nodes = Array.from({ length: tree.count }, (_, node) => node)
    if (backwards) nodes.reverse()
    const pointerOf = pointerWalk(tree)
    for (const node of nodes) {
      const meant = shapeOf(tree, node) === 'key' ? node + 1 : node
      expect(resolvePointer(tree, pointerOf(node))).toBe(meant)
    }
  }))
test('pointers (RFC 6901): ~ and / are escaped, and what is not there resolves to nothing', () => {
  expect(pointerToken('a~/b')).toBe('a~0~1b')
  const tree = treeOf('{"a/b":{"~":[1]}}')
  expect(pointerWalk(tree)(tree.count - 1)).toBe('/a~1b/~0/0')
  for (const pointer of ['/x', 'a', '/a~1b/~0/1', '/a~1b/~0/-', '/a~1b/~0/00', '/a~1b/~0/0/0'])
    expect(resolvePointer(tree, pointer)).toBeUndefined()
})

const duplicates = (text: string): string[] => {
  const tree = treeOf(text)
  const pointerOf = pointerWalk(tree)
  const found: string[] = []
  eachDuplicateKey(tree, (key) => found.push(pointerOf(key)))
  return found
}
test('duplicate keys (readings, The envelope): found at any depth, in order, however they are spelt', () =>
  expect(duplicates('{"a":1,"b":{"c":1,"c":2},"a":[{"x":1,"\\u0078":2}],"A":0}')).toEqual([
    '/b/c',
    '/a',
    '/a/0/x',
  ]))
test('duplicate keys (readings, The envelope): found among 100,000 members', () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`)
  expect(duplicates(`{${names.join()}}`)).toEqual([])
  expect(duplicates(`{${names.join()},"k77":0}`)).toEqual(['/k77'])
})
test('duplicate keys (readings, The envelope): the same as counting names says (property)', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'ba', 'DocumentId', 'documentId', '"', 'ñ', '')
  forAll(100, [fc.array(name, { maxLength: 12 })], (names) => {
    const text = `{${names.map((n) => `${JSON.stringify(n)}:{}`).join()}}`
    expect(duplicates(text).length).toBe(names.length - new Set(names).size)
  })
})

test('lines end with LF, CR LF or CR, columns count UTF-16 units, offsets may come in any order', () => {
  const placeOf = placeFinder('a\nb\r\nc\rd😀e')
  expect([0, 2, 5, 7, 10].map(placeOf)).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 4, column: 1 },
    { line: 4, column: 4 },
  ])
  expect(placeOf(2)).toEqual({ line: 2, column: 1 })
})

test('a text is taken to its very last value, and one value more is refused before a table of so many is made', () => {
  const text = `[${'{"a\\"[,":-1.5e3,"b":[true,null,"ñ,"]},'.repeat(30_000)}{}]`
  const { count } = treeOf(text)
  const taken = (nodes: number) => scanJson(text, undefined, undefined, nodes)
  expect(taken(count + 2)).toMatchObject({ count })
  const made = vi.spyOn(globalThis, 'Uint32Array')
  expect(taken(count + 1)).toMatchObject({ problem: 'too-many' })
  const largest = Math.max(...made.mock.calls.map((given: readonly unknown[]) => Number(given[0])))
  made.mockRestore()
  expect(largest).toBeLessThan(count * 3)
})
