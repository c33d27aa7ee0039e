import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { PROBLEM_CODES, type Problem, type ProblemCode } from '#core/filter/problem.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING, type Filter } from '#core/filter/tree.ts'
import { KIND_NAMES } from '#core/filter/values.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

const read = (text: string): Filter => {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(`${parsed.at}: ${parsed.code}`)
  return parsed.filter
}
const refused = (text: string): Problem => {
  const parsed = parseFilter(text)
  if (parsed.ok) throw new Error(`${text} was taken`)
  return parsed
}
const word = (text: string): Filter => ({ type: 'text', text, exact: false })
const exact = (text: string): Filter => ({ type: 'text', text, exact: true })
const doc = (prefix: string): Filter => ({ type: 'doc', prefix })
const kinds = (text: string) => {
  const filter = read(text)
  return filter.type === 'kind' ? filter.kinds : []
}

describe('conditions', () => {
  it('blank text selects everything', () => {
    for (const text of ['', ' ', '\t\n']) expect(read(text)).toEqual({ type: 'and', all: [] })
    expect(read('*')).toEqual({ type: 'and', all: [] })
  })
  it('kind: takes each of the 28 names, whatever the case', () => {
    for (const name of KIND_NAMES)
      expect([kinds(`kind:${name}`), kinds(`KIND:${name.toUpperCase()}`)]).toEqual([[name], [name]])
  })
  it('kind: takes wildcards and lists, in the order of the catalogue and once each', () => {
    const invoices = ['factura.created', 'factura.updated', 'factura.anulated']
    expect(kinds('kind:factura.*')).toEqual(invoices)
    expect(kinds('kind:*.anulated')).toHaveLength(5)
    expect(kinds('kind:*')).toEqual(KIND_NAMES)
    expect(kinds('kind:nota_*.c*d')).toEqual(['nota_credito.created', 'nota_debito.created'])
    expect(kinds('kind:gasto.created,factura.*,factura.created')).toEqual([...invoices, 'gasto.created'])
  })
  it('a wildcard does not use the same letters twice', () =>
    expect(refused('kind:factura.created*created').code).toBe('unknown-value'))
  it('group: takes slugs and the names of both languages', () => {
    for (const text of ['group:credit', 'group:"Credit notes"', 'group:"notas de crédito"'])
      expect(read(text)).toEqual({ type: 'group', groups: ['credit'] })
  })
  it('verdict: takes names, lists and comparisons; unjudged stands outside the order', () => {
    const verdicts = (text: string) => {
      const filter = read(text)
      return filter.type === 'verdict' ? filter.verdicts : []
    }
    expect(verdicts('verdict:>=warning')).toEqual(['warning', 'invalid', 'unreadable'])
    expect(verdicts('verdict:>warning')).toEqual(['invalid', 'unreadable'])
    expect(verdicts('verdict:<=noted')).toEqual(['valid', 'noted'])
    expect(verdicts('verdict:<noted,unjudged')).toEqual(['valid', 'unjudged'])
    expect(verdicts('verdict:<valid')).toEqual([])
  })
  it('doc: takes an id or its beginning, whatever the case, and several', () => {
    expect(read('doc:3F2A*')).toEqual(doc('3f2a'))
    expect(read('doc:"A*"')).toEqual(doc('a*'))
    expect(read('doc:*')).toEqual(doc(''))
    expect(read('doc:a,b')).toEqual({ type: 'or', any: [doc('a'), doc('b')] })
  })
  it('endpoint: and is: take lists', () => {
    expect(read('endpoint:Erp,default')).toEqual({ type: 'endpoint', names: ['erp', 'default'] })
    expect(read('is:late,OUT-OF-ORDER,late')).toEqual({ type: 'is', facts: ['late', 'out-of-order'] })
  })
  it('a word may go on, a quoted phrase may not, unless a star follows', () => {
    expect(read('caf')).toEqual(word('caf'))
    expect(read('"tres marías"')).toEqual(exact('tres marías'))
    expect(read('"tres mar"*')).toEqual(word('tres mar'))
    expect(read(String.raw`"a \"b\" \\ \n"`)).toEqual(exact(String.raw`a "b" \ \n`))
  })
  it('times, hyphens and addresses are text where no field name precedes the colon', () => {
    for (const text of ['10:30', 'E31-0001', 'a@b.do']) expect(read(text)).toEqual(word(text))
  })
})

describe('joints', () => {
  const [a, b, c] = [word('a'), word('b'), word('c')]
  it('side by side and "and" are the same; "or" binds weaker; "not" and "-" stronger', () => {
    expect([read('a b'), read('a AND b')]).toEqual([{ type: 'and', all: [a, b] }, read('a b')])
    expect(read('a b or c')).toEqual({ type: 'or', any: [{ type: 'and', all: [a, b] }, c] })
    expect(read('-a b')).toEqual({ type: 'and', all: [{ type: 'not', not: a }, b] })
    expect(read('not a')).toEqual(read('-a'))
    expect(read('--a')).toEqual({ type: 'not', not: { type: 'not', not: a } })
    expect(read('-(a or b)')).toEqual({ type: 'not', not: { type: 'or', any: [a, b] } })
  })
  it('parentheses group, and vanish around a single condition', () => {
    expect(read('((a))')).toEqual(a)
    expect(read('a (b or c)')).toEqual({ type: 'and', all: [a, { type: 'or', any: [b, c] }] })
    expect(read('(a b) c')).toEqual({ type: 'and', all: [{ type: 'and', all: [a, b] }, c] })
  })
})

describe('problems say what, where and what to do', () => {
  type Case = readonly [text: string, code: ProblemCode, at: number, length: number]
  const of = (code: ProblemCode, ...found: readonly [text: string, at: number, length: number][]): Case[] =>
    found.map(([text, at, length]) => [text, code, at, length])
  const cases: readonly Case[] = [
    ...of('unclosed-quote', ['a "b', 2, 1], ['doc:"b', 4, 1], [String.raw`"a\"`, 0, 1]),
    ['a (b', 'unclosed-parenthesis', 2, 1],
    ['a ) b', 'unopened-parenthesis', 2, 1],
    ['a ( ) b', 'empty-parentheses', 2, 3],
    ...of('missing-operand', ['or a', 0, 2], ['a or', 2, 2], ['a or or b', 2, 2], ['(a and)', 3, 3]),
    ['(not)', 'missing-operand', 1, 3],
    ...of('lone-minus', ['a - b', 2, 1], ['a -', 2, 1]),
    ...of('unknown-field', ['a kinds:b', 2, 5], ['http://example.com', 0, 4]),
    ...of('missing-value', ['kind: factura.*', 5, 0], ['kind:factura.*,', 15, 0], ['doc:""', 4, 2]),
    ...of('unknown-value', ['kind:factura.created,fatura.created', 21, 14], ['kind:zzz.*', 5, 5]),
    ...of(
      'unknown-value',
      ['group:invoice', 6, 7],
      ['verdict:bad', 8, 3],
      ['is:new', 3, 3],
      ['has:hope', 4, 4],
    ),
    ...of('bad-comparison', ['verdict:>=unjudged', 8, 10], ['verdict:>', 8, 1]),
    ...of('bad-amount', ['size:big', 5, 3], ['a took:5parsecs', 7, 8]),
    ...of('bad-time', ['received:2026-02-30', 9, 10], ['timestamp:soon', 10, 4]),
    ...of('bad-time', ['received:..', 9, 2], ['received:last-0d', 9, 7]),
    ...of('reversed-range', ['received:2026-11-21..2026-11-01', 9, 22], ['size:2kb..1kb', 5, 8]),
    ...of('reversed-range', ['answer:404,599..500', 11, 8], ['$.a:9..1e0', 4, 6]),
    ['$:1', 'bad-path', 0, 1],
    ['header.:x', 'missing-header', 0, 7],
    ...of('nothing-to-find', ['a "--" b', 2, 4], ['…', 0, 1]),
    ['a'.repeat(10_001), 'too-long', 10_000, 1],
    ['a '.repeat(201), 'too-many-conditions', 400, 1],
  ]
  it.each(cases)('%j', (text, code, at, length) => {
    const found = refused(text)
    const sentence = sentenceOf(found)
    expect(found).toMatchObject({ code, at, length })
    expect(sentence.es).not.toBe(sentence.en)
    for (const one of [sentence.en, sentence.es]) expect(one).not.toMatch(/undefined|NaN/)
  })
  it('and each code has a case here, or the one on depth below', () =>
    expect(new Set([...cases.map(([, code]) => code), 'too-deep', 'bad-regex'])).toEqual(
      new Set(PROBLEM_CODES),
    ))
  it('takes a range whose end moves with the clock also when it is over: what was kept must be readable tomorrow', () => {
    const spans = [{ from: expect.any(Number), to: expect.any(Number) }]
    for (const text of words(
      'received:today..2020-01-01 timestamp:last-7d..2020-01-01 received:2999-01-01..Today',
    ))
      expect(read(text)).toMatchObject({ type: 'time', spans })
  })
  it('offers what may have been meant, the likeliest first', () => {
    expect(refused('kind:fatura.created').suggestions?.[0]).toBe('factura.created')
    expect(refused('kinds:a').suggestions?.[0]).toBe('kind')
    expect(refused('is:dup').suggestions).toEqual(['duplicate'])
    expect(refused('verdict:qqqqqq').suggestions).toBeUndefined()
  })
  it('stays a sentence, whatever was pasted', () => {
    for (const text of [`kind:${'x'.repeat(9_000)}`, `${'x'.repeat(9_000)}:a`, `"${'-'.repeat(9_000)}"`])
      expect(sentenceOf(refused(text)).en.length).toBeLessThan(320)
  })
  it('takes 100 nested parentheses or negations and refuses the 101st in a sentence', () => {
    for (const open of ['(', '-', '-(', 'not ']) {
      const most = 100 / open.replace('not ', '-').length
      const nested = (times: number) => `${open.repeat(times)}a${')'.repeat(open.endsWith('(') ? times : 0)}`
      expect([parseFilter(nested(most)).ok, refused(nested(most + 1)).code]).toEqual([true, 'too-deep'])
    }
    expect(refused('('.repeat(10_000)).code).toBe('too-deep')
  })
  it('depth counts what is open, not what was', () => expect(parseFilter('(-a) '.repeat(200)).ok).toBe(true))
})

const pieces = fc.array(fc.constantFrom(...'()"\\-,:* \0', ...words`or and not kind doc verdict >= a`), {
  maxLength: 30,
})

it('whatever the text, parsing never throws, and a problem lies inside the text', () =>
  forAll(
    2_000,
    [
      fc.oneof(
        fc.string({ unit: 'binary' }),
        pieces.map((all) => all.join('')),
      ),
    ],
    (text) => {
      const parsed = parseFilter(text)
      if (parsed.ok) return
      expect(parsed.at).toBeGreaterThanOrEqual(0)
      expect(parsed.at + parsed.length).toBeLessThanOrEqual(text.length)
    },
  ))

it('read at a boundary, a bad one is refused as bad-filter, with its column and the code to translate by', () => {
  expect(readFilter(' ')).toEqual(EVERYTHING)
  const message = 'Filter, column 8: "kind:" does not know "nope". Try kind:factura.*.'
  const details = { column: 7, length: 4, problem: 'unknown-value' }
  const refusal = { name: 'AcuseError', code: 'bad-filter', message, details }
  expect(() => readFilter('a kind:nope')).toThrow(expect.objectContaining(refusal))
})
