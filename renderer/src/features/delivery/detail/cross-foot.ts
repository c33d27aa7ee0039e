import { CROSS_FOOTS, type CrossFoot } from '#catalog/amounts.ts'
import {
  addDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
  subtractDecimals,
  withPlaces,
} from '#core/json/decimal.ts'
import { memberCounting } from '@/shared/body/members.ts'
import type { FieldTotal, LineTotals, Member } from '@/shared/body/protocol.ts'

/** A sum over the lines, with the header amount of the most similar name. */
export interface CrossFootRow {
  readonly of: CrossFoot
  /** The fields of `plus` that had a number and were added. */
  readonly added: readonly string[]
  /** Plain decimal notation; null when there was nothing to add. */
  readonly sum: string | null
  /** Digits as sent; null when `Accounting` has no number there. */
  readonly sent: string | null
  readonly sentIs: 'number' | 'absent' | 'other'
  /** Sum less header amount; null unless both are known. */
  readonly difference: string | null
  /** Number of lines without a number in the field. */
  readonly without: number
}

const numberOf = (member: Member | undefined): Decimal | undefined =>
  member?.type === 'number' && !member.clipped ? parseDecimal(member.text) : undefined

/** Decimal places as written; 0 with an exponent. */
const placesOf = (text: string | null | undefined): number => /\.(\d+)$/.exec(text ?? '')?.[1]?.length ?? 0

/** Without such lines the sum is zero; when none of them has a number, there is no sum. */
function sumOf(total: FieldTotal | undefined): Decimal | undefined {
  if (!total) return undefined
  if (total.numbers > 0) return total.sum === null ? undefined : parseDecimal(total.sum)
  return total.others + total.absent === 0 ? parseDecimal('0') : undefined
}

/** Sums of the lines beside the amounts of `Accounting`. Information only: the specification does not call a difference wrong. */
export function crossFoots(totals: LineTotals, accounting: readonly Member[]): readonly CrossFootRow[] {
  return CROSS_FOOTS.map((of) => {
    const lines = totals.totals.find((one) => one.field === of.field && one.exempt === (of.exempt ?? null))
    const added: string[] = []
    let sum = sumOf(lines)
    for (const name of of.plus ?? []) {
      const more = numberOf(memberCounting(accounting, name))
      if (!more) continue
      added.push(name)
      sum = sum && addDecimals(sum, more)
    }
    const member = memberCounting(accounting, of.total)
    const value = numberOf(member)
    const difference = sum && value && subtractDecimals(sum, value)
    const places = Math.max(placesOf(lines?.sum), placesOf(value ? member?.text : null))
    const plain = (decimal: Decimal) => withPlaces(formatDecimal(decimal), places)
    return {
      of,
      added,
      sum: sum ? plain(sum) : null,
      sent: value && member ? member.text : null,
      sentIs: value ? 'number' : member ? 'other' : 'absent',
      difference: difference ? (difference.digits === '0' ? '0' : plain(difference)) : null,
      without: (lines?.others ?? 0) + (lines?.absent ?? 0),
    }
  })
}
