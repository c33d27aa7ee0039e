import type { Forward } from '#contract/replay.ts'
import { parseFilter } from '#core/filter/parse.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'

/** A forward while it is edited: an empty `answerFrom` is the endpoint's own answer. */
function forwardDraft(forward: Forward | null, targets: readonly string[], defaultTarget: string | null) {
  const first = defaultTarget ?? (targets.length === 1 ? targets[0] : undefined)
  const { name = '', enabled = true, filter = '', whenDown = 'queue', answerFrom } = forward ?? {}
  const { concurrency = 1, answerTimeoutMs = 3_000 } = forward ?? {}
  const numbers: Typed<{ concurrency: number; answerTimeoutMs: number }> = { concurrency, answerTimeoutMs }
  return {
    name,
    enabled,
    filter,
    whenDown,
    ...numbers,
    answerFrom: answerFrom ?? '',
    targets: forward?.targets ?? (first === undefined ? [] : [first]),
  }
}

/** What a refused address means, by the reason that the host gives. */
const REFUSED: ReadonlyMap<unknown, string> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

interface ForwardFormOf {
  readonly forward: Forward | null
  readonly others: readonly string[]
  readonly targets: readonly string[]
  readonly defaultTarget: string | null
}

export const forwardForm = ({
  forward,
  others,
  targets,
  defaultTarget,
}: ForwardFormOf): Form<'forwards.save', ReturnType<typeof forwardDraft>> => ({
  command: 'forwards.save',
  first: forwardDraft(forward, targets, defaultTarget),
  params: (draft) => ({
    ...draft,
    ...(forward ? { previousName: forward.name } : {}),
    filter: draft.filter.trim(),
    answerFrom: draft.targets.includes(draft.answerFrom) ? draft.answerFrom : null,
    // Its field stands only where a target answers.
    answerTimeoutMs: draft.answerFrom === '' ? (draft.answerTimeoutMs ?? 3_000) : draft.answerTimeoutMs,
    temporary: forward?.temporary ?? false,
  }),
  *own(draft) {
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    if (draft.targets.length === 0) yield ['targets', 'targets']
    if (!parseFilter(draft.filter).ok) yield ['filter', 'filter']
  },
  refused: ({ details }) => {
    const reason = REFUSED.get(details?.reason)
    return reason ? ['targets', reason] : undefined
  },
})
