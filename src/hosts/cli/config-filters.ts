import { z } from 'zod'
import type { Settings } from '#contract/settings.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { regexProblem } from '#core/filter/regex-problem.ts'
import type { Step } from './config-paths.ts'
import { checked } from './config-step.ts'
import { wrongUsage } from './failures.ts'

export const fileFilter = z.strictObject({
  name: z.string(),
  filter: z.string(),
  notify: z.boolean().optional(),
})

/**
 * What a configuration file asks of the saved filters. Those that it does not name stay.
 * @throws CommandFailure saying where the file is wrong
 */
export function filterSteps(
  filters: readonly z.infer<typeof fileFilter>[],
  settings: Settings,
): readonly Step[] {
  return filters.flatMap((wanted, i) => {
    const at = `savedFilters.${i}`
    const old = settings.savedFilters.find(({ name }) => name.toLowerCase() === wanted.name.toLowerCase())
    const tells = old?.notify ?? false
    if (old?.name === wanted.name && old.filter === wanted.filter && (wanted.notify ?? tells) === tells)
      return []
    const parsed = parseFilter(wanted.filter)
    const problem = parsed.ok ? regexProblem(wanted.filter) : parsed
    if (problem) throw wrongUsage(`${at}.filter: column ${problem.at + 1}: ${sentenceOf(problem).en}`)
    return [checked('filters.save', wanted, at, `filter ${wanted.name} ${old ? 'changed' : 'saved'}`)]
  })
}
