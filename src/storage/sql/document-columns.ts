import type { DocumentFamily } from '#catalog/service.ts'
import type { DocumentGap } from '#contract/documents.ts'
import { DOCUMENT_GAPS } from '#contract/values.ts'
import { kindNumber } from './rollup-columns.ts'

/** `document.family` is a place in here. */
export const FAMILIES: readonly DocumentFamily[] = ['invoice', 'credit-note', 'debit-note', 'expense']

/** A kind's bit in `document.kinds`; there are 28, and 32-bit sums hold 31. */
export const kindBit = (kind: string): number => 2 ** (kindNumber(kind) - 1)

/** `document.gaps` as names. */
export const gapsOf = (bits: number): readonly DocumentGap[] =>
  DOCUMENT_GAPS.filter((_, place) => (bits & (2 ** place)) !== 0)

/** The other way. */
export const gapBits = (gaps: readonly DocumentGap[]): number =>
  gaps.reduce((sum, gap) => sum | (2 ** DOCUMENT_GAPS.indexOf(gap)), 0)
