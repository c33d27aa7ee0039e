import { expect, it } from 'vitest'
import { AcuseError } from '#contract/errors.ts'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'

it('a filter is read at a boundary', () => expect(readFilter(' ')).toEqual(EVERYTHING))

it('a bad one is refused as bad-filter, with its column and the code to translate by', () => {
  let thrown: unknown
  try {
    readFilter('a kind:nope')
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(AcuseError)
  expect(thrown).toMatchObject({
    code: 'bad-filter',
    message: 'Filter, column 8: "kind:" does not know "nope". Try kind:factura.*.',
    details: { column: 7, length: 4, problem: 'unknown-value' },
  })
})
