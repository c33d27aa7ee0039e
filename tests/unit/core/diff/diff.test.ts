import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffBodies } from '#core/diff/diff.ts'
import { DIFF_DEPTH, DIFF_VALUES, type Diff, type DiffNode } from '#core/diff/types.ts'
import { forAll } from '../../../support/for-all.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
function diff(left: string, right: string, ignored: readonly string[] = []): Diff {
  const result = diffBodies(bytes(left), bytes(right), { ignored })
  if ('reason' in result) throw new Error(result.reason)
  return result
}
const flat = (node: DiffNode): DiffNode[] => [node, ...node.children.flatMap(flat)]
const at = (of: Diff, pointer: string) => flat(of.root).find((node) => node.pointer === pointer)
const changes = (of: Diff): string[] =>
  flat(of.root)
    .filter(({ change, children }) => change !== 'same' && children.length === 0)
    .map(({ pointer, change }) => `${pointer} ${change}`)

test('members are compared by name, whatever their order', () => {
  const found = diff('{"a":1,"b":{"c":true,"d":null}}', '{"b":{"d":null,"c":true},"a":1}')
  expect(found.root.change).toBe('same')
  expect(found.counts).toEqual({ rewritten: 0, changed: 0, added: 0, removed: 0, moved: 0, ignored: 0 })
})

test('a changed, an added and a removed member are told with the pointer and the source of both sides', () => {
  const found = diff('{"keep":1,"old":"x","both":[1]}', '{"keep":1,"both":{"n":1},"new":2}')
  expect(changes(found)).toEqual(['/old removed', '/both/n added', '/new added'])
  expect(at(found, '/both')).toMatchObject({
    change: 'changed',
    left: { shape: 'array', source: '[1]', size: 1 },
    right: { shape: 'object', source: '{"n":1}', size: 1 },
  })
  expect(found.counts).toMatchObject({ changed: 1, added: 1, removed: 1 })
})

test('a number of the same value in other digits is rewritten, not changed (readings, data per kind: digits are kept)', () => {
  const found = diff('{"a":14.00,"b":1e2,"c":9007199254740993}', '{"a":14,"b":100,"c":9007199254740992}')
  expect(changes(found)).toEqual(['/a rewritten', '/b rewritten', '/c changed'])
})

test('lines are paired by LineId: an inserted one is added, one that stands elsewhere is moved, nothing else differs', () => {
  const line = (id: number, amount: string) => `{"LineId":${id},"Amount":${amount}}`
  const found = diff(
    `{"Lines":[${line(1, '10')},${line(2, '20')},${line(3, '30')}]}`,
    `{"Lines":[${line(3, '30')},${line(1, '10')},${line(9, '5')},${line(2, '21')}]}`,
  )
  expect(found.pairedBy.get('/Lines')).toBe('LineId')
  expect(changes(found)).toEqual([
    '/Lines/2/LineId added',
    '/Lines/2/Amount added',
    '/Lines/3/Amount changed',
  ])
  expect(at(found, '/Lines/0')).toMatchObject({ key: 'LineId 3', change: 'same', moved: { from: 2, to: 0 } })
  expect(found.counts).toEqual({ rewritten: 0, changed: 1, added: 1, removed: 0, moved: 1, ignored: 0 })
})

test('without LineId the member that identifies most elements on both sides pairs them', () => {
  const found = diff(
    '{"Items":[{"Qty":1,"Code":"A"},{"Qty":1,"Code":"B"}]}',
    '{"Items":[{"Qty":1,"Code":"B"},{"Qty":2,"Code":"A"}]}',
  )
  expect(found.pairedBy.get('/Items')).toBe('Code')
  expect(changes(found)).toEqual(['/Items/1/Qty changed'])
})

test('a list without a key is paired by position between what both begin and end with', () => {
  const found = diff('["a","b","c"]', '["new","a","b","c"]')
  expect([found.pairedBy.get(''), changes(found)]).toEqual([null, ['/0 added']])
  expect(changes(diff('["a","b","c"]', '["a","c"]'))).toEqual(['/1 removed'])
})

test('a shared key does not pair: elements with one LineId twice stay where they stand', () => {
  const found = diff('[{"LineId":1,"a":1},{"LineId":1,"a":2}]', '[{"LineId":1,"a":1},{"LineId":1,"a":3}]')
  expect([found.pairedBy.get(''), changes(found)]).toEqual([null, ['/1/a changed']])
})

test('volatile members are passed over, told apart and counted', () => {
  const found = diff(
    '{"Timestamp":"1","Lines":[{"LineId":1,"Seen":1,"Amount":1}]}',
    '{"Timestamp":"2","Lines":[{"LineId":1,"Seen":2,"Amount":1}]}',
    ['/Timestamp', '/Lines/*/Seen'],
  )
  expect(found.root.change).toBe('same')
  expect(at(found, '/Timestamp')).toMatchObject({ change: 'changed', ignored: true })
  expect(found.counts).toMatchObject({ changed: 0, ignored: 2 })
})

test('of duplicate names the last one counts, and names of prototypes are names like any other', () => {
  expect(diff('{"a":1,"a":2}', '{"a":2}').root.change).toBe('same')
  expect(changes(diff('{"__proto__":1}', '{"constructor":1}'))).toEqual([
    '/__proto__ removed',
    '/constructor added',
  ])
})

test('what cannot be compared by structure says why: no JSON, too deep, too many', () => {
  const of = (left: Uint8Array, right: Uint8Array) => diffBodies(left, right, { ignored: [] })
  expect(of(bytes('{'), bytes('{}'))).toEqual({ reason: 'not-json', side: 'left' })
  expect(of(bytes('{}'), Uint8Array.of(0xff))).toEqual({ reason: 'not-json', side: 'right' })
  expect(of(bytes(''), bytes('x'))).toEqual({ reason: 'not-json', side: 'both' })
  const deep = '['.repeat(DIFF_DEPTH + 1) + ']'.repeat(DIFF_DEPTH + 1)
  expect(of(bytes(deep), bytes('[]'))).toEqual({ reason: 'too-deep', limit: DIFF_DEPTH })
  const many = `[${'0,'.repeat(DIFF_VALUES)}0]`
  expect(of(bytes(many), bytes('[]'))).toEqual({ reason: 'too-many', limit: DIFF_VALUES })
})

test('a body equals itself, and its differences from another are those of the other from it, turned round (property)', () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value))
  forAll(100, [json, json], (a, b) => {
    expect(diff(a, a).root.change).toBe('same')
    const [there, back] = [diff(a, b).counts, diff(b, a).counts]
    expect([back.changed, back.rewritten]).toEqual([there.changed, there.rewritten])
    expect([back.added, back.removed]).toEqual([there.removed, there.added])
  })
})

test('applying what the tree says to the left gives the right (property)', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((one) => JSON.stringify(one))
  forAll(100, [object, object], (a, b) => {
    const rebuilt = (node: DiffNode) => (node.change === 'removed' ? undefined : node.right?.source)
    const members = diff(a, b)
      .root.children.map((child) => [child.name, rebuilt(child)] as const)
      .filter(([, source]) => source !== undefined)
      .map(([name, source]) => `${JSON.stringify(name)}:${source}`)
    expect(JSON.parse(`{${members.join(',')}}`)).toEqual(JSON.parse(b))
  })
})
