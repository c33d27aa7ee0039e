import { instantText } from './instant-text.ts'

/** What a page of accounting-sync says that paging needs. */
export interface PageFacts {
  readonly hasMore: boolean
  /** Of its items in their order; null where the item has none. */
  readonly items: readonly {
    /** Document id, else number, else a digest: equal for the same document. */
    readonly key: string
    /** Microseconds since the epoch. */
    readonly issuedAt: number | null
    /** The issue date as the service wrote it. */
    readonly issuedText: string | null
    readonly documentType: number | null
  }[]
}

export interface PageRequest {
  readonly from: string
  readonly to: string
  readonly documentTypeId: number | null
  readonly pageSize: number
}

/** Microseconds since the epoch, both ends included. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Moment {
  readonly instant: number
  readonly text: string
}

/** The crowded date behind which the walk goes on, and which of STEPS it took. */
export interface Settled {
  readonly date: Moment
  readonly step: number
}

/** A date on which more documents lie than one page holds. */
export interface CrowdedDate {
  readonly date: string
  /** Documents of that date found so far. */
  readonly count: number
}

/**
 * Where a walk over accounting-sync stands (readings, accounting-sync); plain data, so that it can be stored and gone on with.
 * `walk`: page by page from the latest date of the page before. `types`: one crowded date, document type by document type.
 * `bisect`: dates do not rise within a page, so the order cannot be trusted: ranges are halved until each fits a page.
 */
export type Walk = {
  readonly end: Moment
  readonly documentTypeId: number | null
  readonly pageSize: number
  /** Types seen so far and those that the specification names. */
  readonly types: readonly number[]
  /** Dates that could not be listed whole. */
  readonly crowded: readonly CrowdedDate[]
  /**
   * Dates that were listed type by type, and by which types. One that is seen later is asked for there, too; one that nobody names and
   * no page shows would not be found.
   */
  readonly byType: readonly { readonly date: Moment; readonly types: readonly number[] }[]
  readonly requestsLeft: number
} & (
  | {
      readonly mode: 'walk'
      readonly from: Moment
      readonly settled: Settled | null
      /** `from` is a date of the page before, which the next one has to show again. */
      readonly overlaps?: boolean
    }
  | {
      readonly mode: 'types'
      readonly date: Moment
      readonly left: readonly number[]
      /** All types that it is asked for, those of earlier rounds included. */
      readonly asked: readonly number[]
      /** Documents on the page that would not go on: there are more than these. */
      readonly shown: number
      /** Keys of the crowded page that no type has shown yet. */
      readonly missing: readonly string[]
      readonly found: number
      readonly overfull: boolean
      /** Where to go on; null: nothing follows in this range. */
      readonly onward: { readonly bisect: readonly Span[] } | null
    }
  | { readonly mode: 'bisect'; readonly spans: readonly Span[]; readonly settled: Settled | null }
  | {
      readonly mode: 'done'
      /** What it gave up on; absent where it came to its end. */
      readonly left?: readonly Span[]
    }
)

/**
 * Microseconds to go beyond a crowded date. Services that cut fractions off give the same date again: then the next longer step is tried.
 */
export const STEPS = [1, 1_000, 1_000_000, 86_400_000_000] as const
/** A walk ends even where the service invents pages for ever: so many requests are enough for 50 million documents. */
export const MOST_REQUESTS = 100_000

export type Common = Pick<
  Walk,
  'end' | 'documentTypeId' | 'pageSize' | 'types' | 'crowded' | 'byType' | 'requestsLeft'
>
export const common = ({
  end,
  documentTypeId,
  pageSize,
  types,
  crowded,
  byType,
  requestsLeft,
}: Common): Common => ({
  end,
  documentTypeId,
  pageSize,
  types,
  crowded,
  byType,
  requestsLeft,
})

export type In<M extends Walk['mode']> = Extract<Walk, { readonly mode: M }>

/** @param onward ranges that are still to be bisected, when that is how the date was met */
export function crowdedDate(
  walk: Walk,
  page: PageFacts,
  date: Moment,
  onward: { readonly bisect: readonly Span[] } | null,
): Walk {
  const keys = page.items.map(({ key }) => key)
  // A sweep of one type cannot be split further.
  if (walk.documentTypeId !== null)
    return beyond(
      { ...common(walk), crowded: [...walk.crowded, { date: date.text, count: keys.length }] },
      date,
      onward,
    )
  return {
    ...common(walk),
    mode: 'types',
    date,
    left: walk.types,
    asked: walk.types,
    shown: keys.length,
    missing: keys,
    found: 0,
    overfull: false,
    onward,
  }
}

/** Goes on behind a date that is settled. */
export function beyond(
  rest: Common,
  date: Moment,
  onward: { readonly bisect: readonly Span[] } | null,
): Walk {
  const settled = { date, step: 0 }
  return onward ? bisecting(rest, onward.bisect, settled) : behind(rest, settled)
}

/** Null when every step has been tried: the service gives this date whatever it is asked for. */
export function nextMoment({ date, step }: Settled): Moment | null {
  const length = STEPS[step]
  if (length === undefined) return null
  const instant = date.instant + length
  return { instant, text: instantText(instant, date.text) }
}

export function behind(rest: Common, settled: Settled): Walk {
  const from = nextMoment(settled)
  if (!from) return { ...common(rest), crowded: [...rest.crowded, stuckAt(settled.date, 0)], mode: 'done' }
  if (from.instant > rest.end.instant) return { ...common(rest), mode: 'done' }
  return { ...common(rest), mode: 'walk', from, settled }
}

export const stuckAt = ({ text }: Moment, count: number): CrowdedDate => ({ date: text, count })

export function bisecting(rest: Common, spans: readonly Span[], settled: Settled | null = null): Walk {
  const left = spans.filter(({ from, to }) => from <= to)
  return left.length > 0
    ? { ...common(rest), mode: 'bisect', spans: left, settled }
    : { ...common(rest), mode: 'done' }
}
