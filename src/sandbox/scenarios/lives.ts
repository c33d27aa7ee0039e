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

export const CREDIT_NOTE_LIVES: Lives = [
  [84, []],
  [9, ['edit-credit-note']],
  [7, ['void']],
]

export const DEBIT_NOTE_LIVES: Lives = [
  [84, []],
  [9, ['edit-debit-note']],
  [7, ['void']],
]

/** Quotations, contacts and products, which no sync route lists: what creates one, and what follows. */
export const OTHER_LIVES: Lives = [
  [5, ['create-quotation']],
  [3, ['create-quotation', 'edit-quotation']],
  [3, ['create-quotation', 'void']],
  [4, ['create-customer', 'edit-customer']],
  [2, ['create-customer', 'deactivate-customer']],
  [2, ['create-supplier', 'edit-supplier']],
  [2, ['create-supplier', 'deactivate-supplier']],
  [3, ['create-product', 'edit-product']],
  [2, ['create-product', 'deactivate-product']],
]

export const drawLife = (random: Random, lives: Lives): Life =>
  lives[random.weighted(lives.map(([weight]) => weight))]?.[1] ?? []
