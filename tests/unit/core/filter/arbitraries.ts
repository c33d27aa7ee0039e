import fc from 'fast-check'
import { GROUPS } from '#catalog/kinds.ts'
import { type DeliveryRow, MALFORMED, MARKS, VERDICTS } from '#contract/delivery.ts'
import { FACTS, type Filter } from '#core/filter/tree.ts'
import {
  asciiLower,
  KIND_NAMES,
  KIND_WILDCARDS,
  kindsOf,
  VERDICT_VALUES,
  verdictsOf,
} from '#core/filter/values.ts'

const wellFormed = (maxLength: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength }).filter((text) => text.isWellFormed())
/** Pieces that trip a printer or an SQL compiler: syntax, quotes, wildcards, separators, case, the ends of the code space. */
const tricky = fc
  .array(
    fc.constantFrom(
      ...'()"\'\\,:*-<>=%_ \t\n\0;$?',
      'or',
      'not',
      'AND',
      'kind:',
      'E31',
      'ñ',
      'É',
      '\u{10ffff}',
      '\ud7ff',
      'İ',
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
    return { type: 'kind', kinds, source: typed.join(',') }
  })
const comparisons = ['>=', '<=', '>', '<'].flatMap((operator) => VERDICTS.map((name) => `${operator}${name}`))
const verdict = fc
  .array(fc.constantFrom(...VERDICT_VALUES, ...comparisons), { minLength: 1, maxLength: 3 })
  .map((typed): Filter => {
    const meant = typed.flatMap((one) => verdictsOf(one) ?? [])
    const verdicts = VERDICT_VALUES.filter((name) => meant.includes(name))
    return { type: 'verdict', verdicts, source: typed.join(',') }
  })

/** Beginnings of the ids that `deliveryRow` makes, besides any text. */
const prefix = fc.oneof(fc.constantFrom('', '3', '3f', '3f2a', '3f2b', '\ud7ff'), anyText.map(asciiLower))

const leaf = fc.oneof(
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
  fc.record({ type: fc.constant('is' as const), facts: some(FACTS) }),
)
const text = fc.record({
  type: fc.constant('text' as const),
  text: anyText.filter((value) => /[\p{L}\p{N}\p{Co}]/u.test(value)),
  exact: fc.boolean(),
})

const tree = (leaves: fc.Arbitrary<Filter>, least: number): fc.Arbitrary<Filter> =>
  fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'filter' },
      leaves,
      fc.record({
        type: fc.constant('and' as const),
        all: fc.array(tie('filter'), { minLength: least, maxLength: 4, depthIdentifier: 'filter' }),
      }),
      fc.record({
        type: fc.constant('or' as const),
        any: fc.array(tie('filter'), { minLength: least, maxLength: 4, depthIdentifier: 'filter' }),
      }),
      fc.record({ type: fc.constant('not' as const), not: tie('filter') }),
    ),
  })).filter

/** Trees that text can say one to one: joints have two members or more. */
export const sayableFilter = tree(fc.oneof(leaf, text), 2)
/** Any tree. */
export const anyFilter = tree(fc.oneof(leaf, text), 0)
/** Trees that need no text index. */
export const filterWithoutText = tree(leaf, 0)

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

/** Rows as a store keeps them: what is derived is null together, and only accepted ones are analysed here or not alike. */
export const deliveryRow: fc.Arbitrary<Omit<DeliveryRow, 'id'>> = fc
  .record({
    receivedAt: fc.nat(),
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
  .map((row) => {
    const judged = row.verdict !== null
    return {
      ...row,
      url: '/',
      size: 0,
      answer: 200,
      tookUs: null,
      event: null,
      attempts: 0,
      number: null,
      statusId: null,
      timestamp: null,
      findings: 0,
      kind: judged ? row.kind : null,
      group: judged && row.kind !== null ? row.group : null,
      documentId: judged ? row.documentId : null,
      marks: row.marks.filter((mark) => judged || mark === 'pinned'),
    }
  })
