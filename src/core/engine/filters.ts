import type { HandlersOf, Params } from '#contract/commands.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import { refused } from '#contract/errors.ts'
import type { FilterMatches, SavedFilter, Settings } from '#contract/settings.ts'
import { readFilter } from '../filter/read.ts'
import { type MatchSource, watchMatches } from '../matches.ts'
import type { Clock, SettingsStore } from '../ports.ts'

/** Maximum saved filters: they form a menu, and every settings push contains them. */
const MOST_SAVED = 200

interface FilterPorts {
  readonly settings: SettingsStore
  announce(changed: Promise<Settings>): Promise<Settings>
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Commands for saved filters, whose names are case-insensitive. */
export function filterHandlers({ settings, announce }: FilterPorts): HandlersOf<`filters.${string}`> {
  const save = ({ name, filter, notify, previousName }: Params<'filters.save'>): Promise<Settings> => {
    readFilter(filter)
    return settings.change((present) => {
      const renamed = previousName !== undefined && !same(previousName, name)
      if (renamed && present.savedFilters.some((one) => same(one.name, name)))
        throw refused('conflict', 'filter-name-taken', { name })
      const replaced = ({ name: old }: SavedFilter) =>
        same(old, name) || (previousName !== undefined && same(old, previousName))
      const others = present.savedFilters.filter((one) => !replaced(one))
      const tells = notify ?? present.savedFilters.find(replaced)?.notify ?? false
      if (others.length >= MOST_SAVED) throw refused('conflict', 'too-many-filters', { most: MOST_SAVED })
      const savedFilters = [...others, { name, filter, ...(tells ? { notify: true } : {}) }].toSorted(
        (a, b) => a.name.localeCompare(b.name),
      )
      return { ...present, savedFilters }
    })
  }
  return {
    'filters.save': async (params) => announce(save(params)),
    'filters.remove': async ({ name }) => {
      if (!settings.get().savedFilters.some((one) => same(one.name, name)))
        throw refused('not-found', 'no-filter', { name })
      const change = (present: Settings): Settings => ({
        ...present,
        savedFilters: present.savedFilters.filter((one) => !same(one.name, name)),
      })
      return announce(settings.change(change))
    },
  }
}

/** Minimum milliseconds between two notices of one filter; matches in between are counted for the next one. */
const QUIET_MS = 10_000
interface Waiting {
  toldAt: number
  count: number
  latest: DeliveryRow | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

interface FilterNoticePorts {
  readonly store: MatchSource
  readonly settings: Pick<SettingsStore, 'get'>
  readonly clock: Clock
  tell(matches: FilterMatches): void
}

/**
 * Notifies of deliveries that match a saved filter with `notify`, once they are judged. Only for deliveries that arrive while this process
 * runs, not for ones judged again. A notice has kind, number and verdict, and no other captured data.
 * @returns a function that stops it
 */
export function watchFilters({ store, settings, clock, tell }: FilterNoticePorts): () => void {
  const waiting = new Map<string, Waiting>()
  const telling = (): readonly SavedFilter[] => settings.get().savedFilters.filter(({ notify }) => notify)

  function say(name: string, now: Waiting): void {
    now.timer = undefined
    const { latest, count } = now
    if (!latest || !telling().some((one) => one.name === name)) return
    now.toldAt = clock.now()
    now.latest = undefined
    now.count = 0
    const { id, kind, number, verdict } = latest
    tell({ name, delivery: { id, kind, number, verdict }, more: count - 1 })
  }

  function found(name: string, rows: readonly DeliveryRow[]): void {
    const now = waiting.get(name) ?? { toldAt: 0, count: 0, latest: undefined, timer: undefined }
    waiting.set(name, now)
    now.count += rows.length
    now.latest = rows.at(-1) ?? now.latest
    const quiet = now.toldAt + QUIET_MS - clock.now()
    if (quiet <= 0) say(name, now)
    else now.timer ??= setTimeout(() => say(name, now), quiet)
  }

  const stop = watchMatches({
    store,
    wanted: () => telling().map(({ name, filter }) => ({ key: name, filter })),
    found,
  })
  return () => {
    stop()
    for (const { timer: due } of waiting.values()) clearTimeout(due)
  }
}
