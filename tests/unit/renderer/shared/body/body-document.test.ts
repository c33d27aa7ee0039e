import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BodyDocument } from '@/shared/body/body-document.ts'
import type { BodyView, Place } from '@/shared/body/protocol.ts'
import { runs } from '../../../../support/depth.ts'

async function opened(body: string | Uint8Array, whole = true) {
  const bytes = Buffer.from(body)
  const document = new BodyDocument(bytes.length)
  for (let from = 0; from < bytes.length; from += 4_096)
    document.feed({ base64: bytes.subarray(from, from + 4_096).toString('base64') })
  const summary = await document.read({ whole })
  const rows = (view: BodyView, from = 0, count = 1_000) =>
    document
      .rows({ view, from, count, bytesPerRow: 16 })
      .rows.map((row) => row.stretches.map((s) => s[1]).join(''))
  const shown = (place: Place, view: BodyView = 'pretty') =>
    rows(view, document.locate({ place, view, bytesPerRow: 16 }).row, 1)[0]
  return { document, summary, rows, shown }
}

describe('the pretty view of a body', () => {
  test('is what JSON.stringify would indent, for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (json) => {
        const value: unknown = JSON.parse(json)
        // The view keeps escapes and digits as sent, so compare the parsed values.
        const { document, summary } = await opened(json)
        expect(summary.nature).toBe('json')
        const { text } = document.text({ view: 'pretty' })
        expect(JSON.parse(text)).toEqual(value)
        expect(text.split('\n').length).toBe(JSON.stringify(value, null, 2).split('\n').length)
      }),
      { numRuns: runs(300) },
    )
  })

  test.each<[string, string, boolean, string[], { line: number; column: number } | null]>([
    [
      'keeps the digits of numbers and the escapes of strings as sent',
      '{"a":1.50000000000000000000001,"b":1E400,"c":"\\u00e9\\/","d":-0}',
      true,
      ['{', '"a": 1.50000000000000000000001,', '"b": 1E400,', '"c": "\\u00e9\\/",', '"d": -0', '}'],
      null,
    ],
    [
      'goes as far as the JSON does, and shows the rest as text',
      '{"a":1,]tail\nmore',
      true,
      ['{', '"a": 1,', ']tail', 'more'],
      { line: 1, column: 8 },
    ],
    ['marks what the beginning of a longer body cuts off', '{"a":"abc', false, ['{', '"a": "abc…'], null],
  ])('%s', async (_, body, whole, lines, brokenAt) => {
    const { rows, summary } = await opened(body, whole)
    expect([rows('pretty'), summary.brokenAt]).toEqual([lines, brokenAt])
  })

  test('cuts long values into rows that join to the value', async () => {
    const long = `é${'x'.repeat(5_000)}é`
    const { document, rows } = await opened(JSON.stringify([long]))
    expect(rows('pretty').slice(1, -1).join('')).toBe(JSON.stringify(long))
    expect(
      document.rows({ view: 'pretty', from: 0, count: 20, bytesPerRow: 16 }).rows.map((r) => r.number),
    ).toEqual([1, 2, ...Array(9).fill(null), 3])
  })

  test('holds five million open brackets up to its limit', async () => {
    const { summary, document } = await opened('['.repeat(5_000_000))
    expect([summary.limited.pretty, summary.rows.pretty]).toEqual([true, 4_000_000])
    expect(document.pointer({ line: 3_999_999 })).toBeNull()
  })
})

const nested = JSON.stringify({ a: { b: [1, 2, { c: 3 }], d: {} }, e: [4] })

test('folding: shows every line in its place, whatever is folded', async () => {
  const { document, rows } = await opened(nested)
  const all = rows('pretty')
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(all.length - 1)), async (lines) => {
      document.foldAll({ depth: null })
      let total = all.length
      for (const line of lines) total = document.fold({ line, folded: true }).total
      const shown = document.rows({ view: 'pretty', from: 0, count: 100, bytesPerRow: 16 })
      expect(shown.rows.length).toBe(total)
      expect(shown.rows.map((row) => row.at)).toEqual(
        [...shown.rows.map((row) => row.at)].sort((x, y) => x - y),
      )
      for (const line of lines) document.fold({ line, folded: false })
      expect(rows('pretty')).toEqual(all)
    }),
  )
})

test('folding: counts the members of what it hides, and opens for a match inside', async () => {
  const { document, rows } = await opened(nested)
  document.foldAll({ depth: 1 })
  expect(rows('pretty')).toEqual(['{', '"a": { 2 … },', '"e": [ 1 … ]', '}'])
  expect(await document.find({ text: '"c"', matchCase: true })).toEqual({ count: 1, capped: false })
  const { row } = document.match({ index: 0, view: 'pretty', bytesPerRow: 16 })
  expect(rows('pretty')[row]).toBe('"c": 3')
})

describe('places', () => {
  const body = '{\r\n  "a/b": [10,\n {"~": "é😀x"}]\r}'

  test('pointers lead to their line and back (RFC 6901), or to the nearest one above that is there', async () => {
    const { document, shown } = await opened(body)
    const place = { pointer: '/a~1b/1/~0' }
    expect(shown(place)).toBe('"~": "é😀x"')
    const { row } = document.locate({ place, view: 'pretty', bytesPerRow: 16 })
    expect(document.pointer({ line: row })).toEqual({ ...place, line: 3, column: 8 })
    expect(shown({ pointer: '/a~1b/7/x' })).toBe('"a/b": [')
  })

  test('lines and columns count UTF-16 units without a byte-order mark, as findings do', async () => {
    const { document, shown } = await opened(`\ufeff${body}`)
    const place = { line: 3, column: 8 }
    expect(shown(place)).toBe('"~": "é😀x"')
    const { row } = document.locate({ place, view: 'pretty', bytesPerRow: 16 })
    expect(document.pointer({ line: row })).toMatchObject(place)
  })

  const long = `{"a":"${'x'.repeat(1_200)}",\n"b":[1,\n2],"c":"\\u00e9"}`
  test.each<[BodyView, Place, string]>([
    ['pretty', { number: 3 }, '"b": ['],
    ['pretty', { number: 1_000 }, '}'],
    ['text', { number: 2 }, '"b":[1,'],
    ['hex', { offset: 33 }, '00000020'],
    ['hex', { number: 3 }, '00000020'],
  ])('in the %s view %j is a row by its gutter, or by its byte', async (view, place, text) =>
    expect((await opened(long)).shown(place, view)?.slice(0, text.length)).toBe(text),
  )

  test('have values: the characters of a string, anything else as sent', async () => {
    const { document } = await opened(long)
    const valueAt = (pointer: string) => {
      const { row } = document.locate({ place: { pointer }, view: 'pretty', bytesPerRow: 16 })
      return document.value({ line: row })?.text
    }
    expect([valueAt('/a'), valueAt('/b'), valueAt('/c')]).toEqual(['x'.repeat(1_200), '[1,\n2]', 'é'])
    expect((await opened('hello')).document.value({ line: 0 })).toBeNull()
  })
})

test('the other views: text shows every byte: controls by name, what is no UTF-8 as it is', async () => {
  const { rows } = await opened(new Uint8Array([0x61, 0, 0xff, 0xc3, 0xa9, 0x0d, 0x0a, 0xe2, 0x80, 0xae]))
  expect(rows('text')).toEqual(['a␀\\xffé␍', 'U+202E'])
})

test('the other views: hex rows hold sixteen bytes and their letters', async () =>
  expect((await opened('0123456789abcdef!')).rows('hex')).toEqual([
    '00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef',
    expect.stringMatching(/^00000010 {2}21 +!$/),
  ]))

test('the other views: find ignores case beyond ASCII unless told otherwise', async () => {
  const { document } = await opened('Ferretería FERRETERÍA ferreteria')
  expect((await document.find({ text: 'ferretería', matchCase: false })).count).toBe(2)
  expect((await document.find({ text: 'Ferretería', matchCase: true })).count).toBe(1)
  expect((await document.find({ text: '.*', matchCase: false })).count).toBe(0)
})

test('the event of a body: lists members as sent, the last of several under one name counting', async () => {
  const { document } = await opened(
    '{"Event":"x","Event":"y","DATA":{"Lines":[{},{}],"accounting":{"Total":1.10}}}',
  )
  const event = document.event()
  expect(event.envelope?.list.map((m) => [m.name, m.text, m.repeated])).toEqual([
    ['Event', 'x', true],
    ['Event', 'y', false],
    ['DATA', '{"Lines":[{},{}],"accounting":{"Total":1.10}}', false],
  ])
  expect([event.lines?.count, event.accounting?.list[0]?.text]).toEqual([2, '1.10'])
})

test('the event of a body: never throws, whatever the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, whole) => {
      const { document, rows } = await opened(bytes, whole)
      document.event()
      for (const view of ['pretty', 'text', 'hex'] as const) rows(view)
      for (let line = 0; line < 5; line += 1) document.pointer({ line })
    }),
    { numRuns: runs(500) },
  )
})

test('the event of a body: tells no event where the body is no object', async () => {
  expect((await opened('[1]')).document.event().root).toBe('other')
  expect((await opened('hello')).document.event().root).toBe('none')
  expect((await opened('')).summary.nature).toBe('empty')
})

async function totalsOf(lines: string) {
  const { document } = await opened(`{"data":{"Lines":${lines}}}`)
  const list = document.event().lines
  const totals = list && (await document.totals({ line: list.line }))
  if (!totals) throw new Error('no lines')
  const sum = (field: string, exempt: boolean | null = null) =>
    totals.totals.find((one) => one.field === field && one.exempt === exempt)
  return { totals, sum }
}

test.each([
  [
    'are exact, by the digits as sent',
    '[{"Subtotal":0.1},{"Subtotal":0.20},{"Subtotal":1e-20}]',
    { sum: '0.30000000000000000001', numbers: 3, others: 0, absent: 0 },
  ],
  [
    'tell the lines that have no number there',
    '[{"Subtotal":"18"},{"Subtotal":null},{},7,{"Subtotal":18.00}]',
    { sum: '18.00', numbers: 1, others: 2, absent: 1 },
  ],
  ['never take a line for nothing', '[{},{}]', { sum: null, numbers: 0, absent: 2 }],
  [
    'count a name as the event does: exact before another case, of several the last',
    '[{"Subtotal":1,"subtotal":100},{"SUBTOTAL":2},{"Subtotal":50,"Subtotal":4},{"S\\u0075btotal":8}]',
    { sum: '15' },
  ],
])('totals of Lines %s', async (_, lines, total) => {
  const { sum } = await totalsOf(lines)
  expect(sum('Subtotal')).toMatchObject({ field: 'Subtotal', exempt: null, ...total })
})

test('net amounts are parted by IsExempt; lines that are neither, no objects, or have unknown fields are counted', async () => {
  const { sum, totals } = await totalsOf(
    '[{"IsExempt":true,"NetAmount":1,"Batch":2},{"IsExempt":false,"NetAmount":20,"Batch":3,"Caf\u00e9":1},{"NetAmount":300},{"IsExempt":"true","NetAmount":4000},7]',
  )
  expect([null, true, false].map((exempt) => sum('NetAmount', exempt)?.sum)).toEqual(['4321', '1', '20'])
  expect(totals).toMatchObject({ lines: 4, others: 1, unclear: 2 })
  expect(totals.unknown).toEqual([
    { name: 'Batch', times: 2 },
    { name: 'Café', times: 1 },
  ])
})

test('totals hold for any number of lines, a stretch at a time', async () => {
  const amounts = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 3_000 })
  await fc.assert(
    fc.asyncProperty(amounts, async (cents) => {
      const { sum } = await totalsOf(
        `[${cents.map((c) => `{"NetAmount":${(c / 100).toFixed(2)}}`).join(',')}]`,
      )
      const total = cents.reduce((all, c) => all + BigInt(c), 0n)
      expect(Math.round(Number(sum('NetAmount')?.sum) * 100)).toBe(Number(total))
    }),
    { numRuns: runs(15) },
  )
})
