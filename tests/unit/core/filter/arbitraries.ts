import fc from 'fast-check'
import { GROUPS } from '#catalog/kinds.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import { sameTag } from '#contract/tags.ts'
import { MALFORMED, MARKS, VERDICTS } from '#contract/values.ts'
import { readTest } from '#core/filter/fields.ts'
import { rangeOf, spanOf } from '#core/filter/spans.ts'
import { AMOUNTS, ATTEMPTED, FACTS, type Filter, HAVINGS } from '#core/filter/tree.ts'
import {
  asciiLower,
  folded,
  KIND_NAMES,
  KIND_WILDCARDS,
  kindsOf,
  patternOf,
  VERDICT_VALUES,
  verdictsOf,
} from '#core/filter/values.ts'
import { words } from '../../../support/words.ts'

const wellFormed = (maxLength: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength }).filter((text) => text.isWellFormed())
/** Texts that an SQL compiler may mishandle: syntax, quotes, wildcards, separators, case, extreme code points. */
const tricky = fc
  .array(
    fc.constantFrom(
      ...'()"\'\\,:*-<>=%_ \t\n\0;$?',
      ...words`or not AND kind: E31 ñ É İ`,
      '\u{10ffff}',
      '\ud7ff',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const anyText = fc.oneof(wellFormed(12), tricky)

const some = <T extends string>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 })
const kind = fc
  .array(fc.constantFrom(...KIND_NAMES, ...KIND_WILDCARDS), { minLength: 1, maxLength: 3 })
  .map((typed): Filter => {
    const kinds = KIND_NAMES.filter((name) => typed.some((one) => kindsOf(one).includes(name)))
    return { type: 'kind', kinds }
  })
const comparisons = ['>=', '<=', '>', '<'].flatMap((operator) =>
  VERDICTS.slice(1).map((name) => `${operator}${name}`),
)
const verdict = fc
  .array(fc.constantFrom(...VERDICT_VALUES, ...comparisons), { minLength: 1, maxLength: 3 })
  .map((typed): Filter => {
    const meant = typed.flatMap((one) => verdictsOf(one) ?? [])
    return { type: 'verdict', verdicts: VERDICT_VALUES.filter((name) => meant.includes(name)) }
  })

/** Prefixes of the ids that `deliveryRow` makes, and any text. */
const prefix = fc.oneof(fc.constantFrom('', '3', '3f', '3f2a', '3f2b', '\ud7ff'), anyText.map(asciiLower))

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  kind,
  fc.record({ type: fc.constant('group' as const), groups: some(GROUPS.map(({ slug }) => slug)) }),
  verdict,
  fc.record({ type: fc.constant('doc' as const), prefix }),
  fc.record({
    type: fc.constant('endpoint' as const),
    names: fc.uniqueArray(fc.oneof(fc.constantFrom('default', 'erp'), anyText.map(asciiLower)), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  // Rows do not show the fact `missed`, which sweeps find.
  fc.record({ type: fc.constant('is' as const), facts: some(FACTS.filter((fact) => fact !== 'missed')) }),
  fc.record({ type: fc.constant('has' as const), what: some(HAVINGS) }),
  fc.record({
    type: fc.constant('attempt' as const),
    outcomes: fc.subarray([...ATTEMPTED]),
    statuses: fc.subarray([
      { from: 500, to: 599 },
      { from: null, to: 300 },
      { from: 404, to: 404 },
    ]),
    targets: fc.constant([]),
  }),
  fc
    .oneof(fc.constantFrom('urgent', 'Ur*', '*', '*t', 'ñ', 'ur_ent'), anyText)
    .map((typed): Filter => ({ type: 'tag', patterns: [patternOf(sameTag(typed), 'none')] })),
)
/** Typed amounts near the values that `deliveryRow` makes. */
const amountText = fc.constantFrom(
  ...['0', '5', '404', '4xx', '>5', '>=404', '<6', '<=5', '1..5', '..404', '200..', '2kb', '>1kb', '1.5kb'],
  ...['3ms', '>2ms', '1ms..3ms', '<1s', 'none'],
)
const amount = fc
  .tuple(fc.constantFrom(...AMOUNTS), fc.array(amountText, { minLength: 1, maxLength: 3 }))
  .map(([of, typed]): Filter => {
    const known = typed.filter((one) => one === 'none' || rangeOf(of, one) !== undefined)
    const values = known.length > 0 ? known : ['none']
    const ranges = values.flatMap((one) => {
      const range = rangeOf(of, one)
      return range && range !== 'reversed' ? range : []
    })
    return { type: 'amount', of, ranges, none: values.includes('none') }
  })
/** Times near the start of the epoch, as in the rows. */
const received = fc
  .array(
    fc.constantFrom('1970-01-01t00:00:00.001z', '1970-01-01t00:00:00z..', '..1970-01-01t00:00:00.000500z'),
    { minLength: 1, maxLength: 2 },
  )
  .map((typed): Filter => {
    const spans = typed.flatMap((one) => spanOf(one, { now: () => 0 }) ?? [])
    return { type: 'time', of: 'received', spans }
  })
const starred = fc
  .array(fc.oneof(fc.constantFrom('*', 'E31', '1', 'p', 'Ó', '%', '_', '\\'), anyText), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''))
const pattern = fc.oneof(
  starred.map(
    (typed): Filter => ({ type: 'word', of: 'number', patterns: [patternOf(asciiLower(typed), 'end')] }),
  ),
  starred.map(
    (typed): Filter => ({ type: 'word', of: 'method', patterns: [patternOf(asciiLower(typed), 'none')] }),
  ),
)
const party = starred.map(
  (typed): Filter => ({ type: 'word', of: 'party', patterns: [patternOf(folded(typed), 'both')] }),
)
const step = fc.oneof(
  fc.record({ member: fc.oneof(fc.constantFrom('data', 'Año', 'a b', ']', '"'), anyText) }),
  fc.record({ index: fc.nat(99) }),
  fc.constant({ every: true as const }),
)
const jsonValue = fc.oneof(
  fc.record({
    text: fc.constantFrom(...words`* true null 1000 >1000 <=-2.5e3 1..2 1000.. ..-2.5e3 >2026-11 E31* a..b`),
    quoted: fc.constant(false),
  }),
  fc.record({ text: anyText, quoted: fc.constant(true) }),
)
const json = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 4 }), fc.array(jsonValue, { minLength: 1, maxLength: 3 }))
  .map(([path, values]): Filter => {
    const tests = values.map((value) => readTest({ ...value, start: 0, end: 0 }))
    return { type: 'json', path, tests }
  })
const regex = fc
  .tuple(
    fc.array(fc.constantFrom('a', '.*', '\\/', ' ', '(b|c)', '"', '[^x]+', 'é'), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.subarray(['i', 'm', 's']),
  )
  .map(([parts, flags]): Filter => ({ type: 'regex', pattern: parts.join(''), flags: flags.join('') }))
const opened = fc.oneof(
  party,
  json,
  regex,
  fc.record({
    type: fc.constant('header' as const),
    name: fc.constantFrom('x-foo', 'user-agent', 'a.b'),
    patterns: starred.map((typed) => [patternOf(asciiLower(typed), 'both')]),
  }),
  fc.record({ type: fc.constant('body' as const), texts: anyText.map((typed) => [typed.toLowerCase()]) }),
  fc.record({ type: fc.constant('is' as const), facts: some(FACTS) }),
  fc.record({
    type: fc.constant('finding' as const),
    codes: fc.subarray(['field-absent', 'dgii-*', '*'], { minLength: 1 }),
  }),
)
const columns = fc.oneof(leaf, amount, received, pattern)

const text = fc.record({
  type: fc.constant('text' as const),
  text: anyText.filter((value) => /[\p{L}\p{N}\p{Co}]/u.test(value)),
  exact: fc.boolean(),
})

const tree = (leaves: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'filter' },
      leaves,
      fc.record({
        type: fc.constant('and' as const),
        all: fc.array(tie('filter'), { maxLength: 4, depthIdentifier: 'filter' }),
      }),
      fc.record({
        type: fc.constant('or' as const),
        any: fc.array(tie('filter'), { maxLength: 4, depthIdentifier: 'filter' }),
      }),
      fc.record({ type: fc.constant('not' as const), not: tie('filter') }),
    ),
  })).filter

export const anyFilter = tree(fc.oneof(columns, opened, text))
export const filterWithoutText = tree(columns)

const documentId = fc.oneof(
  fc.constantFrom(
    '3f2a0000-0000-4000-8000-000000000001',
    '3F2A0000-0000-4000-8000-000000000001',
    '3F2B',
    '3',
    '',
  ),
  fc.constantFrom('3\u{10ffff}', '\ud7ff', '\ue000', 'É', 'é', '%', '_'),
)

/** Rows as a store keeps them: without analysis all derived members are null. */
export const deliveryRow: fc.Arbitrary<Omit<DeliveryRow, 'id'>> = fc
  .record({
    receivedAt: fc.nat(3_000),
    number: fc.option(fc.constantFrom('E310000000001', 'e32', 'p', 'Ó1%', '_\\')),
    statusId: fc.option(fc.constantFrom(1, 5, 6, 404)),
    answer: fc.option(fc.constantFrom(200, 204, 404, 500)),
    size: fc.constantFrom(0, 5, 999, 1_000, 1_500, 1_999, 2_000, 5_000),
    tookUs: fc.option(fc.constantFrom(0, 5, 2_000, 2_001, 3_500, 900_000)),
    attempts: fc.constantFrom(0, 0, 2),
    last: fc.constantFrom<DeliveryRow['lastAttempt']>(
      { state: 'sending', status: null, ok: null },
      { state: 'answered', status: 200, ok: true },
      { state: 'answered', status: 404, ok: true },
      { state: 'answered', status: 500, ok: false },
      { state: 'failed', status: null, ok: false },
      { state: 'uncertain', status: null, ok: null },
    ),
    note: fc.boolean(),
    tags: fc.subarray(['aguado', 'ñandú', 'ur%ent', 'urgent']),
    document: fc.constant(null),
    endpoint: fc.constantFrom('default', 'erp', 'late'),
    method: fc.constantFrom('GET', 'PUT', 'POST'),
    rejected: fc.boolean(),
    malformed: fc.option(fc.constantFrom(...MALFORMED)),
    kind: fc.option(fc.constantFrom(...KIND_NAMES)),
    documentId: fc.option(documentId),
    verdict: fc.option(fc.constantFrom(...VERDICTS), { freq: 3 }),
    group: fc.constantFrom(...GROUPS.map(({ slug }) => slug)),
    marks: fc.subarray([...MARKS]),
  })
  .map(({ last, ...row }) => {
    const judged = row.verdict !== null
    return {
      ...row,
      lastAttempt: row.attempts > 0 ? last : null,
      url: '/',
      event: null,
      number: judged ? row.number : null,
      statusId: judged ? row.statusId : null,
      timestamp: null,
      findings: 0,
      kind: judged ? row.kind : null,
      group: judged && row.kind !== null ? row.group : null,
      documentId: judged ? row.documentId : null,
      marks: row.marks.filter((mark) => judged || mark === 'pinned'),
    }
  })
