import type { Kind } from '#catalog/kinds.ts'
import type { DocumentClass, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { addDecimals, type Decimal, formatDecimal, parseDecimal } from '#core/json/decimal.ts'
import type { Judgement } from '#core/reconcile/documents.ts'
import { zeros } from '../sql/numbers.ts'

export type Counts = Record<DocumentClass, number>
export const noCounts = (): Counts => zeros(CLASSES)

/** Longest amount to add up, so that a service cannot make a sum arbitrarily long. */
const MOST_DIGITS = 100

/** Writes a sum with two decimals, as amounts have. */
function asMoney(sum: string): string {
  const parts = /^-?\d+(?:\.(\d))?$/.exec(sum)
  if (!parts) return sum
  return parts[1] === undefined ? `${sum}.00` : `${sum}0`
}

export class ComparisonTally {
  readonly #dayOf: (quarter: number) => string
  readonly counts = noCounts()
  /** Documents of dates that the sweep did not list completely. */
  notReached = 0
  readonly #days = new Map<string, Counts>()
  readonly #missed = new Map<Kind | 'unknown', number>()
  readonly #stakes = new Map<string, { amount: Decimal; documents: number }>()
  #first: number | null = null
  #last: number | null = null

  constructor(zone: string) {
    this.#dayOf = daysIn(zone)
  }

  /** @param quarter `quarterOf` the issue date; null: unknown */
  count(name: DocumentClass, quarter: number | null, documents = 1): void {
    this.counts[name] += documents
    if (quarter === null) return
    const day = this.#dayOf(quarter)
    const counts = this.#days.get(day) ?? noCounts()
    this.#days.set(day, counts)
    counts[name] += documents
  }

  unmatch(issuedAt: number | null): void {
    this.count('matched', issuedAt === null ? null : quarterOf(issuedAt), -1)
  }

  /** @param total digits as sent */
  judged(
    judgement: Pick<Judgement, 'class' | 'missed'>,
    issuedAt: number | null,
    total: string | null,
    currency: string | null,
  ): void {
    this.count(judgement.class, issuedAt === null ? null : quarterOf(issuedAt))
    if (judgement.class !== 'not-yet-due')
      for (const { kind } of judgement.missed)
        this.#missed.set(kind ?? 'unknown', (this.#missed.get(kind ?? 'unknown') ?? 0) + 1)
    if (judgement.class !== 'missing') return
    if (issuedAt !== null) {
      this.#first = this.#first === null ? issuedAt : Math.min(this.#first, issuedAt)
      this.#last = this.#last === null ? issuedAt : Math.max(this.#last, issuedAt)
    }
    const amount = total !== null && total.length <= MOST_DIGITS ? parseDecimal(total) : undefined
    if (!amount) return
    const stake = this.#stakes.get(currency ?? '')
    const sum = stake ? addDecimals(stake.amount, amount) : amount
    if (sum) this.#stakes.set(currency ?? '', { amount: sum, documents: (stake?.documents ?? 0) + 1 })
  }

  summary(): Omit<
    ReconciliationSummary,
    'sweep' | 'comparedAt' | 'ignored' | 'notRecovered' | 'unreached' | 'sharedDifferences'
  > {
    const sorted = <K extends string, V>(map: ReadonlyMap<K, V>) =>
      [...map].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    return {
      counts: this.counts,
      notReached: this.notReached,
      missedEvents: Object.fromEntries(sorted(this.#missed)),
      atStake: sorted(this.#stakes).map(([currency, { amount, documents }]) => ({
        currency,
        amount: asMoney(formatDecimal(amount)),
        documents,
      })),
      firstMissing: this.#first,
      lastMissing: this.#last,
      days: sorted(this.#days).map(([day, counts]) => ({ day, counts })),
    }
  }
}

/** Today every zone's offset from UTC is a multiple of a quarter of an hour. */
const QUARTER_US = 15 * 60 * 1_000_000

/** Number of the quarter of an hour of an instant (microseconds), counted from the epoch. */
export const quarterOf = (instant: number): number => Math.floor(instant / QUARTER_US)

/** `quarterOf` for a column; corrects SQLite's division, which rounds towards zero. */
export const quarterSql = (column: string): string =>
  `(${column} / ${QUARTER_US} - (${column} < 0 AND ${column} % ${QUARTER_US} <> 0))`

/** Dates after the year 9999 or before 0 have no notation as a day. */
const MOST_MS = 253_402_300_799_000
const LEAST_MS = -62_135_596_800_000

/** @returns a function from a quarter of an hour to its day in a zone, such as `2026-10-05` */
export function daysIn(zone: string): (quarter: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const known = new Map<number, string>()
  return (quarter) => {
    const found = known.get(quarter)
    if (found !== undefined) return found
    const instant = Math.min(MOST_MS, Math.max(LEAST_MS, (quarter * QUARTER_US) / 1_000))
    const day = format.format(instant).padStart(10, '0')
    known.set(quarter, day)
    return day
  }
}
