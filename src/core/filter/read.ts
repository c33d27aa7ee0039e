import { AcuseError } from '#contract/errors.ts'
import { parseFilter } from './parse.ts'
import type { Problem } from './problem.ts'
import { sentenceOf } from './problem-words.ts'
import { regexProblem } from './regex.ts'
import type { Filter } from './tree.ts'

/** `column` is 0-based; the window translates by `problem`. */
export const filterError = (found: Problem): AcuseError =>
  new AcuseError('bad-filter', `Filter, column ${found.at + 1}: ${sentenceOf(found).en}`, {
    column: found.at,
    length: found.length,
    problem: found.code,
  })

/** @throws AcuseError `bad-filter` */
export function readFilter(text: string): Filter {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw filterError(parsed)
  const wrong = regexProblem(text)
  if (wrong) throw filterError(wrong)
  return parsed.filter
}
