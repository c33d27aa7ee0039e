import type { Refusal } from '#contract/errors.ts'
import type { Forward } from '#contract/replay.ts'

/** A forward while it is edited. */
export interface ForwardDraft {
  readonly name: string
  readonly enabled: boolean
  readonly filter: string
  readonly targets: readonly string[]
  readonly concurrency: number | null
  readonly whenDown: Forward['whenDown']
  /** Empty: the endpoint's own answer. */
  readonly answerFrom: string
  readonly answerTimeoutMs: number | null
}

export function forwardDraftOf(
  forward: Forward | null,
  targets: readonly string[],
  defaultTarget: string | null,
): ForwardDraft {
  if (forward)
    return {
      name: forward.name,
      enabled: forward.enabled,
      filter: forward.filter,
      targets: forward.targets,
      concurrency: forward.concurrency,
      whenDown: forward.whenDown,
      answerFrom: forward.answerFrom ?? '',
      answerTimeoutMs: forward.answerTimeoutMs,
    }
  const first = defaultTarget ?? (targets.length === 1 ? targets[0] : undefined)
  return {
    name: '',
    enabled: true,
    filter: '',
    targets: first === undefined ? [] : [first],
    concurrency: 1,
    whenDown: 'queue',
    answerFrom: '',
    answerTimeoutMs: 3_000,
  }
}

export type ForwardField =
  | 'name'
  | 'taken'
  | 'targets'
  | 'ownReceiver'
  | 'forbidden'
  | 'concurrency'
  | 'answerTimeout'
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/

/** @param others names of the other forwards */
export function forwardErrors(draft: ForwardDraft, others: readonly string[]): ReadonlySet<ForwardField> {
  const wrong = new Set<ForwardField>()
  if (!NAME.test(draft.name)) wrong.add('name')
  else if (others.includes(draft.name)) wrong.add('taken')
  if (draft.targets.length === 0) wrong.add('targets')
  if (draft.concurrency === null || draft.concurrency < 1 || draft.concurrency > 64) wrong.add('concurrency')
  if (
    draft.answerFrom !== '' &&
    (draft.answerTimeoutMs === null || draft.answerTimeoutMs < 1 || draft.answerTimeoutMs > 60_000)
  )
    wrong.add('answerTimeout')
  return wrong
}

/** @returns null while a number is missing */
export function forwardOf(draft: ForwardDraft, temporary: boolean): Forward | null {
  const { concurrency, answerTimeoutMs, answerFrom } = draft
  if (concurrency === null) return null
  return {
    name: draft.name,
    enabled: draft.enabled,
    filter: draft.filter.trim(),
    targets: draft.targets,
    concurrency,
    whenDown: draft.whenDown,
    answerFrom: draft.targets.includes(answerFrom) ? answerFrom : null,
    answerTimeoutMs: answerTimeoutMs ?? 3_000,
    temporary,
  }
}

/** The field that a refusal is about. */
export function refusedForwardField(refusal: Refusal | null): ForwardField | null {
  if (refusal?.code === 'conflict' && refusal.details?.path === 'name') return 'taken'
  if (refusal?.details?.reason === 'own-receiver') return 'ownReceiver'
  return refusal?.details?.reason === 'destination-refused' ? 'forbidden' : null
}
