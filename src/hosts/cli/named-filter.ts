import { AcuseError } from '#contract/errors.ts'
import { nearest } from '#core/filter/nearest.ts'
import { knownNames } from './known-names.ts'
import type { Reached } from './reach.ts'

/**
 * The filter that `--filter` means: `@name` stands for the one saved under that name, ignoring case.
 * @throws AcuseError `not-found`
 */
export async function namedFilter(reached: Pick<Reached, 'call'>, text: string): Promise<string> {
  if (!text.startsWith('@')) return text
  const wanted = text.slice(1).trim().toLowerCase()
  const { savedFilters } = await reached.call('settings.get', {})
  const found = savedFilters.find(({ name }) => name.toLowerCase() === wanted)
  if (found) return found.filter
  const names = savedFilters.map(({ name }) => name)
  const [meant] = nearest(wanted, names)
  const known = names.length === 0 ? '' : ` ${knownNames(names)}`
  const hint = meant ? ` Did you mean @${meant}?` : known
  throw new AcuseError('not-found', `There is no saved filter named "${text.slice(1)}".${hint}`)
}
