import type { Random } from '../data/random.ts'

/** Voids an accepted document, by a note that is a document more. */
export const VOID_BY_NOTE = 'void-by-note'

/** What happens to a document after its creation, in order. */
export type Life = readonly string[]

type Lives = readonly (readonly [weight: number, life: Life])[]

export const INVOICE_LIVES: Lives = [
  [38, ['submit', 'approve']],
  [22, ['submit', 'poll', 'approve']],
  [8, ['submit', 'poll', 'poll', 'poll', 'approve', 'register-payment']],
  [7, ['submit', 'poll', 'accept-conditionally']],
  [6, ['submit', 'poll', 'reject', 'edit-invoice', 'submit', 'approve']],
  [3, ['submit', 'reject']],
  [3, ['submit', 'poll']],
  [3, ['edit-invoice', 'submit', 'approve']],
  [3, ['void']],
  [3, ['submit', 'approve', VOID_BY_NOTE]],
  [4, []],
]

export const EXPENSE_LIVES: Lives = [
  [70, []],
  [15, ['register-payment']],
  [10, ['edit-expense']],
  [5, ['void']],
]

/** Contacts and products, which no sync route lists: what creates one, and what follows. */
export const OTHER_LIVES: Lives = [
  [4, ['create-customer']],
  [3, ['create-customer', 'edit-customer']],
  [2, ['create-supplier', 'edit-supplier']],
  [1, ['create-supplier', 'deactivate-supplier']],
  [3, ['create-product', 'edit-product']],
  [1, ['create-product', 'deactivate-product']],
  [1, ['create-customer', 'deactivate-customer']],
]

export const drawLife = (random: Random, lives: Lives): Life =>
  lives[random.weighted(lives.map(([weight]) => weight))]?.[1] ?? []
