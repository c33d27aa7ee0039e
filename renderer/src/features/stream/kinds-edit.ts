import { GROUPS, KINDS, type Kind } from '#catalog/kinds.ts'
import { without, withValues } from '@/shared/live/filter-edit.ts'

/** The filter that selects these kinds, whole groups by their short name. All of them, or none, is no condition at all. */
export function withKinds(text: string, chosen: ReadonlySet<Kind>): string {
  const rest = without(without(text, 'kind'), 'group')
  if (chosen.size === 0 || chosen.size === KINDS.length) return rest
  const whole = GROUPS.filter(({ slug }) => KINDS.every((k) => k.group !== slug || chosen.has(k.kind)))
  const single = KINDS.filter((k) => chosen.has(k.kind) && !whole.some(({ slug }) => slug === k.group))
  if (whole.length > 0 && single.length === 0)
    return withValues(
      rest,
      'group',
      whole.map(({ slug }) => slug),
    )
  // One field holds alternatives; two fields would have to hold both at once.
  return withValues(
    rest,
    'kind',
    KINDS.filter((k) => chosen.has(k.kind)).map((k) => k.kind),
  )
}
