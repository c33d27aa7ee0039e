import type { SandboxHeader, SandboxSubscriptionChange } from '#contract/sandbox.ts'
import { wrongUsage } from './failures.ts'
import { visible } from './visible.ts'

type Wanted = NonNullable<SandboxSubscriptionChange['headers']>

/**
 * The headers of a subscription with some of them set and some taken away: the others keep their place, and masked ones the value that
 * is not known here.
 * @param given take the place of all that have their name
 * @param gone names, in whatever case
 * @throws CommandFailure when there is nothing of a name to take away
 */
export function changedHeaders(
  present: readonly SandboxHeader[],
  given: readonly { readonly name: string; readonly value: string }[],
  gone: readonly string[],
): Wanted {
  const lower = (name: string) => name.toLowerCase()
  const names = new Set(present.map(({ name }) => lower(name)))
  const missing = gone.find((name) => !names.has(lower(name)))
  if (missing !== undefined) {
    const there = present.length === 0 ? 'none' : [...new Set(present.map(({ name }) => name))].join(', ')
    throw wrongUsage(
      `--remove-header: the subscription has no header ${visible(missing)}; it has ${visible(there)}.`,
    )
  }
  const removed = new Set(gone.map(lower))
  const byName = Map.groupBy(given, ({ name }) => lower(name))
  const done = new Set<string>()
  const kept = present.flatMap((header): Wanted => {
    const name = lower(header.name)
    const instead = byName.get(name)
    if (instead === undefined)
      return removed.has(name) ? [] : [{ name: header.name, value: header.masked ? null : header.value }]
    if (done.has(name)) return []
    done.add(name)
    return instead
  })
  return [...kept, ...given.filter(({ name }) => !done.has(lower(name)))]
}
