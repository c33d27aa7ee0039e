import type { DeliveryRow } from '#contract/delivery.ts'
import {
  type DocumentFact,
  type DocumentStep,
  type DocumentStepFacts,
  documentFact,
} from '#contract/documents.ts'

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
  const changed = documentFact.options.flatMap((fact) => {
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
