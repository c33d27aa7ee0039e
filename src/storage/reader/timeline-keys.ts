import { GROUPS } from '#catalog/kinds.ts'
import type { TimelineBy } from '#contract/timeline.ts'
import { VERDICTS } from '#contract/values.ts'

/** What the parts of a bar are, from the bottom up. */
export const KEYS: Readonly<Record<TimelineBy, readonly string[]>> = {
  verdict: [...VERDICTS, 'unjudged'],
  group: [...GROUPS.map(({ slug }) => slug), 'none'],
}

/** SQL for the place in KEYS, from the columns of `analysis a`. */
export const KEY_SQL: Readonly<Record<TimelineBy, string>> = {
  verdict: `coalesce(a.verdict, ${VERDICTS.length})`,
  group: `CASE a."group" ${GROUPS.map(({ slug }, place) => `WHEN '${slug}' THEN ${place}`).join(' ')} ELSE ${GROUPS.length} END`,
}
