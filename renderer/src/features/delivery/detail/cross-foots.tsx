import { CROSS_FOOTS, type CrossFoot } from '#catalog/amounts.ts'
import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
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
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useTexts } from '@/shared/i18n/format.ts'

/** Sums of the lines beside the header amounts, as information, not as findings. */
export function CrossFoots(props: { readonly totals: LineTotals; readonly accounting: readonly Member[] }) {
  const { totals, accounting } = props
  const { t } = useTexts('detail')
  const rows = crossFoots(totals, accounting)
  const unclear = totals.unclear > 0 && rows.some((row) => row.of.exempt !== undefined && row.sum !== null)
  return (
    <section className="pb-10">
      <h3 className="mx-14 mt-10 mb-2 text-fg heading-s">{t('sums.title')}</h3>
      <p className="mx-14 mb-6 text-fg-3 text-xs leading-[1.4]">{t('sums.explain')}</p>
      <table
        className={cx(
          'w-[calc(100%_-_28px)] mx-14 mt-0 mb-4 border-collapse text-s tabular-nums',
          '[&_td]:font-code [&_small]:block [&_small]:text-fg-3 [&_small]:body-xs',
          '[&_i]:text-fg-3 [&_i]:body-xs',
          '[&_:is(th,td)]:py-4 [&_:is(th,td)]:pl-10 [&_:is(th,td)]:pr-0 [&_:is(th,td)]:border-b',
          '[&_:is(th,td)]:border-line-soft [&_:is(th,td)]:font-normal [&_:is(th,td)]:leading-[1.35]',
          '[&_:is(th,td)]:text-right [&_:is(th,td)]:align-top [&_:is(th,td)]:wrap-anywhere',
          '[&_th:first-child]:pl-0 [&_th:first-child]:text-left',
          '[&_thead_th]:border-line [&_thead_th]:text-fg-3 [&_thead_th]:text-xs',
        )}
        aria-label={t('sums.title')}
      >
        <thead>
          <tr>
            <th scope="col">Accounting</th>
            <th scope="col">{t('sums.sum')}</th>
            <th scope="col">{t('sums.sent')}</th>
            <th scope="col">{t('sums.difference')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.of.total} row={row} lines={totals.lines + totals.others} />
          ))}
        </tbody>
      </table>
      {unclear ? (
        <p className="mx-14 mb-6 text-fg-3 text-xs leading-[1.4]">
          {t('sums.unclear', { count: totals.unclear })}
        </p>
      ) : null}
    </section>
  )
}

function Row({ row, lines }: { readonly row: CrossFootRow; readonly lines: number }) {
  const { t, language } = useTexts('detail')
  const { of, added, sum, sent, sentIs, difference, without } = row
  const which = of.exempt === undefined ? 'all' : of.exempt ? 'exempt' : 'taxable'
  const from = [t(`sums.of.${which}`, { field: of.field }), ...added].join(' + ')
  return (
    <tr>
      <th scope="row">
        <span title={ACCOUNTING_FIELDS.get(of.total)?.label[language]}>{of.total}</span>
        <small>{from}</small>
      </th>
      <td>
        {sum ?? <i>{t('sums.noSum')}</i>}
        {sum !== null && without > 0 ? <small>{t('sums.without', { count: without, lines })}</small> : null}
      </td>
      <td>
        {sent === null ? (
          <i>{t(`sums.${sentIs === 'other' ? 'noNumber' : 'absent'}`)}</i>
        ) : (
          <Captured text={sent} most={60} />
        )}
      </td>
      <td className={difference === '0' ? 'text-fg-3' : 'font-semibold!'}>
        {difference === null ? (
          <span title={t('sums.unknown')}>–</span>
        ) : difference === '0' ? (
          t('sums.same')
        ) : (
          signed(difference)
        )}
      </td>
    </tr>
  )
}

const signed = (difference: string): string =>
  difference.startsWith('-') ? `−${difference.slice(1)}` : `+${difference}`

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
