import type { HandlersOf, Params } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { SavedFilter, Settings } from '#contract/settings.ts'
import { readFilter } from '../filter/read.ts'
import type { SettingsStore } from '../ports.ts'

/** So many are kept: they are a menu, and travel with the settings. */
const MOST_SAVED = 200

interface FilterPorts {
  readonly settings: SettingsStore
  announce(changed: Promise<Settings>): Promise<Settings>
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Filters with names. Names are told apart ignoring case. */
export function filterHandlers({ settings, announce }: FilterPorts): HandlersOf<`filters.${string}`> {
  const save = ({ name, filter, notify, previousName }: Params<'filters.save'>): Promise<Settings> => {
    readFilter(filter)
    return settings.change((present) => {
      const renamed = previousName !== undefined && !same(previousName, name)
      if (renamed && present.savedFilters.some((one) => same(one.name, name)))
        throw new AcuseError('conflict', `A filter named "${name}" is saved already; choose another name.`, {
          name,
        })
      const replaced = ({ name: old }: SavedFilter) =>
        same(old, name) || (previousName !== undefined && same(old, previousName))
      const others = present.savedFilters.filter((one) => !replaced(one))
      const tells = notify ?? present.savedFilters.find(replaced)?.notify ?? false
      if (others.length >= MOST_SAVED)
        throw new AcuseError('conflict', `${MOST_SAVED} filters are saved already; remove one first.`)
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
        throw new AcuseError('not-found', `There is no saved filter named "${name}".`, { name })
      const change = (present: Settings): Settings => ({
        ...present,
        savedFilters: present.savedFilters.filter((one) => !same(one.name, name)),
      })
      return announce(settings.change(change))
    },
  }
}
