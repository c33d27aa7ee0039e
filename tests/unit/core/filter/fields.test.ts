import { expect, test } from 'vitest'
import { FIELDS } from '#core/filter/fields.ts'
import { readFilter } from '#core/filter/read.ts'
import { FIELD_WORDS } from '#core/filter/suggest.ts'
import { AMOUNTS, WORDS } from '#core/filter/tree.ts'
import { plan } from '#storage/reader/plan.ts'

const names = FIELDS.map(({ name }) => name)

test('every word and amount of a row is a field, and every field has words for completion', () => {
  expect(names).toEqual(expect.arrayContaining([...WORDS, ...AMOUNTS]))
  // Completion offers the JSON path from `$.data.` on.
  const offered = FIELD_WORDS.map(({ name }) => (name === '$.data.' ? '$' : name))
  expect(offered.toSorted()).toEqual(names.toSorted())
})

test.each(FIELDS)('the example of $name is a filter that has a plan', ({ example }) => {
  const { strategy, rows } = plan(readFilter(example))
  expect(strategy).not.toBe('everything')
  expect(rows.where).not.toBe('TRUE')
})
