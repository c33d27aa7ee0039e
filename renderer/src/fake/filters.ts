import type { Params, Result } from '#contract/commands.ts'
import type { CountedField, DeliveryRow } from '#contract/delivery.ts'
import type { Settings } from '#contract/settings.ts'
import { readFilter } from '#core/filter/read.ts'
import type { FakeStore } from './store.ts'

interface Host {
  settings: Settings
  readonly store: FakeStore
}

function valuesOf(row: DeliveryRow, field: CountedField): readonly (string | number | null)[] {
  if (field === 'tag') return row.tags
  if (field === 'is') return [...row.marks, ...(row.rejected ? ['rejected'] : [])]
  if (field === 'has') return [...(row.note ? ['note'] : []), ...(row.tags.length > 0 ? ['tag'] : [])]
  return [field === 'status' ? row.statusId : row[field]]
}

/** Saved filters and counts of the fake host. */
export function fakeFilters(host: Host) {
  const keep = (savedFilters: Settings['savedFilters']): Settings => {
    host.settings = { ...host.settings, savedFilters }
    return host.settings
  }
  return {
    'filters.save': ({ name, filter, notify, previousName }: Params<'filters.save'>) => {
      readFilter(filter)
      const others = host.settings.savedFilters.filter(
        (one) => one.name !== name && one.name !== previousName,
      )
      return keep([...others, { name, filter, ...(notify ? { notify } : {}) }])
    },
    'filters.remove': ({ name }: Params<'filters.remove'>) =>
      keep(host.settings.savedFilters.filter((one) => one.name !== name)),
    'filter.counts': ({ field, filter }: Params<'filter.counts'>): Result<'filter.counts'> => {
      const counts = new Map<string, number>()
      for (const id of host.store.ids(filter).slice(-2_000)) {
        const row = host.store.row(id - 1)
        const values = valuesOf(row, field)
        for (const value of values) {
          const name = String(value ?? 'none')
          counts.set(name, (counts.get(name) ?? 0) + 1)
        }
      }
      return {
        counts: [...counts].map(([value, count]) => ({ value, count })),
        exact: host.store.count <= 2_000,
      }
    },
  }
}
