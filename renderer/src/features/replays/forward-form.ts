import type { Forward } from '#contract/replay.ts'
import { parseFilter } from '#core/filter/parse.ts'
import type { Form } from '@/shared/forms/form.ts'

/** A forward while it is edited. */
interface ForwardDraft {
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

function forwardDraftOf(
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

type ForwardError =
  | 'name'
  | 'taken'
  | 'targets'
  | 'ownReceiver'
  | 'forbidden'
  | 'concurrency'
  | 'answerTimeout'

/** What a refused address means, by the reason that the host gives. */
const REFUSED: ReadonlyMap<unknown, ForwardError> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

interface ForwardFormOf {
  /** Null: a new one. */
  readonly forward: Forward | null
  /** Names of the other forwards. */
  readonly others: readonly string[]
  /** Names of all targets. */
  readonly targets: readonly string[]
  readonly defaultTarget: string | null
}

export const forwardForm = ({
  forward,
  others,
  targets,
  defaultTarget,
}: ForwardFormOf): Form<'forwards.save', ForwardDraft, ForwardError | 'filter'> => ({
  command: 'forwards.save',
  first: forwardDraftOf(forward, targets, defaultTarget),
  params: (draft) => ({
    ...draft,
    ...(forward ? { previousName: forward.name } : {}),
    filter: draft.filter.trim(),
    answerFrom: draft.targets.includes(draft.answerFrom) ? draft.answerFrom : null,
    // Its field stands only where a target answers.
    answerTimeoutMs: draft.answerFrom === '' ? (draft.answerTimeoutMs ?? 3_000) : draft.answerTimeoutMs,
    temporary: forward?.temporary ?? false,
  }),
  places: () => ({
    name: ['name', 'name'],
    targets: ['targets', 'targets'],
    'targets.*': ['targets', 'targets'],
    concurrency: ['concurrency', 'concurrency'],
    answerTimeoutMs: ['answerTimeout', 'answerTimeout'],
  }),
  *own(draft) {
    if (others.includes(draft.name)) yield ['name', 'taken']
    if (draft.targets.length === 0) yield ['targets', 'targets']
    if (!parseFilter(draft.filter).ok) yield ['filter', 'filter']
  },
  refused: ({ code, details }, place) => {
    if (code === 'conflict' && place?.[0] === 'name') return ['name', 'taken']
    const reason = REFUSED.get(details?.reason)
    return reason ? ['targets', reason] : place
  },
})
