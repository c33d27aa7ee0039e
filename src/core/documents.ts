import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { DeliveryRow, Verdict } from '#contract/delivery.ts'
import type { DocumentFact, DocumentStep, DocumentStepFacts } from '#contract/documents.ts'
import { AcuseError } from '#contract/errors.ts'
import { DOCUMENT_FACTS } from '#contract/values.ts'
import type { Filter, Is, Range } from './filter/tree.ts'

export type DocumentMark = Extract<Is, 'duplicate' | 'late' | 'out-of-order' | 'replay' | 'synthetic'>
const MARKS: readonly Is[] = [
  'duplicate',
  'late',
  'out-of-order',
  'replay',
  'synthetic',
] satisfies DocumentMark[]
const isDocumentMark = (fact: Is): fact is DocumentMark => MARKS.includes(fact)

/**
 * A filter over documents. A condition on events holds for a document if it holds for one of its events. Words are searched in its number,
 * id and party.
 */
export type DocumentFilter =
  | { readonly type: 'and' | 'or'; readonly parts: readonly DocumentFilter[] }
  | { readonly type: 'not'; readonly not: DocumentFilter }
  | { readonly type: 'kinds'; readonly kinds: readonly Kind[] }
  | { readonly type: 'verdicts'; readonly verdicts: readonly Verdict[] }
  | { readonly type: 'marks'; readonly marks: readonly DocumentMark[] }
  | { readonly type: 'doc'; readonly prefix: string }
  /** Patterns in which `*` matches any text; those for the party are folded (core/filter/values.ts). */
  | { readonly type: 'word'; readonly of: 'number' | 'party'; readonly patterns: readonly string[] }
  | { readonly type: 'status'; readonly ranges: readonly Range[]; readonly none: boolean }
  | { readonly type: 'time'; readonly spans: readonly Range[] }
  | { readonly type: 'text'; readonly text: string }

const DOCUMENT_FIELDS = [
  'kind',
  'group',
  'verdict',
  'doc',
  'number',
  'party',
  'status',
  'timestamp',
  'is',
] as const

const NAMES: Readonly<Record<string, string>> = {
  regex: 'an expression /…/',
  json: 'a path $.…',
  header: 'header.',
}

/** @throws AcuseError `bad-filter` for a condition that only single deliveries can meet */
export function documentFilter(filter: Filter): DocumentFilter {
  switch (filter.type) {
    case 'and':
      return { type: 'and', parts: filter.all.map(documentFilter) }
    case 'or':
      return { type: 'or', parts: filter.any.map(documentFilter) }
    case 'not':
      return { type: 'not', not: documentFilter(filter.not) }
    case 'kind':
      return { type: 'kinds', kinds: filter.kinds }
    case 'group':
      return {
        type: 'kinds',
        kinds: KINDS.filter(({ group }) => filter.groups.includes(group)).map(({ kind }) => kind),
      }
    case 'verdict':
      return { type: 'verdicts', verdicts: filter.verdicts.filter((verdict) => verdict !== 'unjudged') }
    case 'doc':
      return { type: 'doc', prefix: filter.prefix }
    case 'text':
      return { type: 'text', text: filter.text }
    case 'is': {
      const marks = filter.facts.filter(isDocumentMark)
      if (marks.length === filter.facts.length) return { type: 'marks', marks }
      return refuse('is', `is: takes ${MARKS.join(', ')} here`)
    }
    case 'word':
      return filter.of === 'number' || filter.of === 'party'
        ? { ...filter, of: filter.of }
        : refuse(filter.of, `${filter.of}: asks about single deliveries`)
    case 'amount':
      if (filter.of !== 'status') return refuse(filter.of, `${filter.of}: asks about single deliveries`)
      return { type: 'status', ranges: filter.ranges, none: filter.none }
    case 'time':
      return filter.of === 'received'
        ? refuse('received', 'received: asks about single deliveries; timestamp: asks when events happened')
        : { type: 'time', spans: filter.spans }
    default:
      return refuse(filter.type, `${NAMES[filter.type] ?? `${filter.type}:`} asks about single deliveries`)
  }
}

function refuse(field: string, why: string): never {
  throw new AcuseError(
    'bad-filter',
    `${why}; documents can be filtered by ${DOCUMENT_FIELDS.map((name) => `${name}:`).join(', ')} and words.`,
    {
      field,
      problem: 'not-for-documents',
      fields: DOCUMENT_FIELDS.map((name) => `${name}:`).join(', '),
      marks: MARKS.join(', '),
    },
  )
}

export interface BareStep {
  readonly row: DeliveryRow
  readonly instant: number
  readonly facts: DocumentStepFacts | null
}

/** Steps in the order of the events. Rejected and rebuilt deliveries were never received, so they change no facts. */
export function lifeOf(bare: readonly BareStep[]): DocumentStep[] {
  const ordered = bare.toSorted((a, b) => a.instant - b.instant || a.row.id - b.row.id)
  const received = ordered.filter(({ row }) => isReceived(row))
  const made = received.find(({ row }) => row.kind?.endsWith('.created'))
  const voided = received.find(({ row }) => row.kind?.endsWith('.anulated'))
  const known = new Map<DocumentFact, string>()
  return ordered.map((step) => {
    if (!isReceived(step.row)) return { ...step, changed: [], gap: null }
    return { ...step, changed: changes(step, known), gap: gapAt(step, made, voided) }
  })
}

const isReceived = ({ rejected, marks }: DeliveryRow): boolean => !rejected && !marks.includes('synthetic')

function changes({ row, facts }: BareStep, known: Map<DocumentFact, string>): DocumentStep['changed'] {
  const first = known.size === 0
  const changed = DOCUMENT_FACTS.flatMap((fact) => {
    const value = fact === 'statusId' ? row.statusId : (facts?.[fact] ?? null)
    if (value === null) return []
    const before = known.get(fact) ?? null
    const after = String(value)
    known.set(fact, after)
    return before === after ? [] : [{ fact, before, after }]
  })
  return first ? [] : changed
}

function gapAt(step: BareStep, made?: BareStep, voided?: BareStep): DocumentStep['gap'] {
  const { kind } = step.row
  if (kind === null) return null
  if (voided && step.instant > voided.instant) return 'after-void'
  if (!made && kind.endsWith('.anulated')) return 'voided-without-created'
  if (!made || step.instant >= made.instant) return null
  if (kind.startsWith('dgii.')) return 'status-before-created'
  return kind.endsWith('.updated') ? 'updated-before-created' : null
}
