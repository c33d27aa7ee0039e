import type { Kind } from '#catalog/kinds.ts'
import type { Connection } from '#contract/connection.ts'
import type {
  DocumentClass,
  DocumentRow,
  FieldDifference,
  ReconciliationSummary,
  Sweep,
} from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { addDecimals, formatDecimal, parseDecimal } from '#core/json/decimal.ts'
import { mappedFamilies } from '#core/reconcile/family.ts'
import { isIssuedSince } from '#core/reconcile/issued-since.ts'
import { judge } from '#core/reconcile/judge.ts'
import type { Terms } from '#core/reconcile/types.ts'
import type { WorldDocument } from './reconcile-world.ts'

export interface Annotation {
  readonly note: string | null
  readonly ignored: string | null
}
/** What a comparison of the fake host goes by besides its documents. */
export interface Compared {
  readonly row: DocumentRow
  readonly differences: readonly FieldDifference[]
  readonly document: WorldDocument
}

/** Judged as the real host judges: by the same pure core. */
export function compared(
  document: WorldDocument,
  connection: Connection,
  sweep: Sweep,
  annotation: Annotation | undefined,
  recovered: DocumentRow['recovered'],
): Compared {
  const terms: Terms = {
    now: Date.now(),
    kinds: connection.kinds && new Set(connection.kinds),
    ignoredFields: new Set(connection.ignoredFields),
    notYetDue: connection.notYetDue,
    sharedFields: new Set(),
    zone: connection.zone,
    sweptBefore: Number.POSITIVE_INFINITY,
    ...{ otherIds: false, unidentifiedItems: false, itemsByNumber: false },
    families: new Map([[31, 'invoice']]),
    mapped: mappedFamilies(connection.documentTypes),
  }
  const { item, events } = document
  const judged = judge(
    {
      ...(item ? { remote: { document: item.document, firstReturnedAt: sweep.startedAt } } : {}),
      events,
      ...{ noteAt: null, byNumber: false },
    },
    terms,
  )
  const last = events.at(-1)
  const issuedAt =
    item?.document.issuedAt ?? events.find((event) => event.issuedAt !== null)?.issuedAt ?? null
  const row: DocumentRow = {
    key: document.documentId,
    documentId: document.documentId,
    number: item?.document.number ?? last?.number ?? null,
    class: judged.class,
    issuedAt,
    party: item?.party ?? null,
    total:
      item?.total ??
      events.find(({ accounting }) => accounting.has('Total'))?.accounting.get('Total')?.source ??
      null,
    currency: item?.currency ?? 'DOP',
    missed: judged.missed,
    rules: judged.rules,
    cannotTell: judged.cannotTell,
    differences: judged.differences.filter(({ ignored }) => !ignored).map(({ field }) => field),
    likelyReason: judged.likelyReason,
    issuedSince: isIssuedSince({ class: judged.class, issuedAt }, sweep),
    events: events.map(({ kind }) => kind),
    capturedStatus: document.deliveries.at(-1)?.row.statusId ?? null,
    serviceStatus: item?.document.statusId ?? null,
    note: annotation?.note ?? null,
    ignored: annotation?.ignored ?? null,
    recovered,
  }
  return { row, differences: judged.differences, document }
}

const noCounts = () => Object.fromEntries(CLASSES.map((name) => [name, 0])) as Record<DocumentClass, number>

/** What a sweep that is not complete did not list: everything behind the date that it reached. */
export function unreachedOf({
  state,
  reached,
  range,
}: Sweep): { readonly from: number; readonly to: number } | null {
  if (state === 'complete' || range.to === null) return null
  return { from: Date.parse(reached ?? range.from ?? '') * 1_000 + 1, to: Date.parse(range.to) * 1_000 }
}

export function summaryOf(
  sweep: Sweep,
  rows: readonly DocumentRow[],
  zone: string,
  unreached: Pick<ReconciliationSummary, 'notReached' | 'unreached'>,
): ReconciliationSummary {
  const counts = noCounts()
  const days = new Map<string, Record<DocumentClass, number>>()
  const missedEvents: Partial<Record<Kind | 'unknown', number>> = {}
  const stake = new Map<string, { amount: string; documents: number }>()
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  const missing = rows.filter((row) => row.class === 'missing')
  for (const row of rows) {
    counts[row.class] += 1
    for (const { kind } of row.missed)
      missedEvents[kind ?? 'unknown'] = (missedEvents[kind ?? 'unknown'] ?? 0) + 1
    if (row.issuedAt === null) continue
    const name = day.format(row.issuedAt / 1_000)
    const there = days.get(name) ?? noCounts()
    there[row.class] += 1
    days.set(name, there)
  }
  for (const { currency, total } of missing) {
    const known = stake.get(currency ?? '') ?? { amount: '0', documents: 0 }
    const sum = [known.amount, total ?? '0'].map(parseDecimal)
    const added = sum[0] && sum[1] && addDecimals(sum[0], sum[1])
    stake.set(currency ?? '', {
      amount: added ? formatDecimal(added) : known.amount,
      documents: known.documents + 1,
    })
  }
  const dates = missing.flatMap(({ issuedAt }) => (issuedAt === null ? [] : [issuedAt]))
  return {
    sweep,
    comparedAt: Date.now(),
    counts,
    missedEvents,
    atStake: [...stake].map(([currency, rest]) => ({ currency, ...rest })),
    firstMissing: dates.length > 0 ? Math.min(...dates) : null,
    lastMissing: dates.length > 0 ? Math.max(...dates) : null,
    days: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => ({ day: name, counts: of })),
    ignored: missing.filter(({ ignored }) => ignored !== null).length,
    recovered: rows.filter(({ recovered }) => recovered !== null).length,
    notRecovered: rows.filter(
      (row) =>
        row.class !== 'not-yet-due' &&
        row.recovered === null &&
        row.ignored === null &&
        row.missed.some(({ certainty }) => certainty === 'missed'),
    ).length,
    sharedDifferences: [],
    ...unreached,
  }
}

/** Microseconds; those of which nobody knows it lie at the very beginning. */
export const issuedOf = ({ item, events }: WorldDocument): number =>
  item?.document.issuedAt ?? events.find(({ issuedAt }) => issuedAt !== null)?.issuedAt ?? 0
