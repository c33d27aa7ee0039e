import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Target, TargetHeader } from '#contract/target.ts'
import { wrongUsage } from './failures.ts'
import { visible } from './visible.ts'

/** What is to be different; what is left out stays. */
export interface TargetChange {
  readonly name?: string
  readonly url?: string
  readonly method?: string | null
  readonly path?: Target['path']
  readonly query?: Target['query']
  /** Take the place of all that have their name; the others stay, secret ones with the value that is not known here. */
  readonly headers?: readonly TargetHeader[]
  readonly withoutHeaders?: readonly string[]
  readonly remove?: readonly string[]
  readonly timeouts?: Partial<Target['timeouts']>
  readonly acceptAnyCertificate?: boolean
  readonly keepSecret?: boolean
  readonly keepCredentials?: boolean
  readonly markReplays?: boolean
}

/**
 * A target as it will be.
 * @param present undefined for a new one
 * @throws CommandFailure for a new one without an address, and for a header that is not there to be taken away
 */
export function changedTarget(name: string, present: Target | undefined, change: TargetChange): Target {
  const { headers = [], withoutHeaders = [], timeouts, ...plain } = change
  if (present === undefined && change.url === undefined)
    throw wrongUsage(
      `There is no target named "${name}" yet; make it with: acuse targets set ${name} --url http://127.0.0.1:3000/hook`,
    )
  const before = present ?? { ...DEFAULT_TARGET, name, url: '' }
  return {
    ...before,
    ...plain,
    headers: changedHeaders(before.headers, headers, withoutHeaders),
    timeouts: { ...before.timeouts, ...timeouts },
  }
}

function changedHeaders(
  present: readonly TargetHeader[],
  given: readonly TargetHeader[],
  gone: readonly string[],
): readonly TargetHeader[] {
  const lower = ({ name }: { readonly name: string }) => name.toLowerCase()
  const missing = gone.find((name) => !present.some((header) => lower(header) === name.toLowerCase()))
  if (missing !== undefined)
    throw wrongUsage(`--remove-header: the target adds no header ${visible(missing)}.`)
  const removed = new Set(gone.map((name) => name.toLowerCase()))
  const byName = Map.groupBy(given, lower)
  const done = new Set<string>()
  const kept = present.flatMap((header): readonly TargetHeader[] => {
    const name = lower(header)
    const instead = byName.get(name)
    if (instead === undefined) return removed.has(name) ? [] : [header]
    if (done.has(name)) return []
    done.add(name)
    return instead
  })
  return [...kept, ...given.filter((header) => !done.has(lower(header)))]
}
