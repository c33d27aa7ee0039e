import type { Forward } from '#contract/replay.ts'
import { parseFilter } from '#core/filter/parse.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'

/** A forward while it is edited; an empty `answerFrom` is the endpoint's own answer. */
type ForwardDraft = Typed<Omit<Forward, 'temporary' | 'answerFrom' | 'answerTimeoutMs'>> & {
  readonly answerFrom: string
  readonly answerTimeout: number | null
}

const NEW: Omit<Forward, 'temporary' | 'targets'> = {
  ...{ name: '', enabled: true, filter: '', concurrency: 1, whenDown: 'queue' },
  ...{ answerFrom: null, answerTimeoutMs: 3_000 },
}

function forwardDraftOf(
  forward: Forward | null,
  targets: readonly string[],
  defaultTarget: string | null,
): ForwardDraft {
  const first = defaultTarget ?? (targets.length === 1 ? targets[0] : undefined)
  const { answerFrom, answerTimeoutMs, ...plain } = forward ?? NEW
  return {
    ...{ name: plain.name, enabled: plain.enabled, filter: plain.filter, concurrency: plain.concurrency },
    whenDown: plain.whenDown,
    targets: forward?.targets ?? (first === undefined ? [] : [first]),
    answerFrom: answerFrom ?? '',
    answerTimeout: answerTimeoutMs,
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
  params: ({ answerTimeout, ...draft }) => ({
    ...draft,
    ...(forward ? { previousName: forward.name } : {}),
    filter: draft.filter.trim(),
    answerFrom: draft.targets.includes(draft.answerFrom) ? draft.answerFrom : null,
    // Its field stands only where a target answers.
    answerTimeoutMs: draft.answerFrom === '' ? (answerTimeout ?? NEW.answerTimeoutMs) : answerTimeout,
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
