import { expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { CHAINS } from '#sandbox/world/emit.ts'
import { withholdsEarlier } from '../../../../../renderer/src/features/sandbox/withheld.ts'

it('warns of every kind of a document in the sync routes that the sandbox makes by more than one step', () => {
  const routeless = ['quotations', 'contacts', 'catalog']
  for (const { kind, group } of KINDS)
    expect(withholdsEarlier(kind), kind).toBe(CHAINS[kind].length > 1 && !routeless.includes(group))
})
