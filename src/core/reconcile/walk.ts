import { dateTimeLike } from '#catalog/date-time.ts'

/** Instants and spans are in microseconds; spans include both ends. */
export interface Moment {
  readonly instant: number
  readonly text: string
}

export interface Issued extends Moment {
  /** Precision in microseconds: `2026-10-05` is a whole day. */
  readonly unit: number
}

export interface PageFacts {
  readonly hasMore: boolean
  /** In the order of the page. */
  readonly items: readonly {
    /** Document id, else Number, else a digest: the same for the same document. */
    readonly key: string
    readonly issued: Issued | null
    readonly documentType: number | null
  }[]
}

export interface PageRequest {
  readonly from: string
  readonly to: string
  readonly documentTypeId: number | null
  readonly pageSize: number
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** The crowded date after which the walk continues, and the number of steps tried that did not get beyond it. */
export interface Settled {
  readonly date: Issued
  readonly step: number
}

export interface CrowdedDate extends Span {
  readonly date: string
  readonly count: number
}

export interface Part extends Span {
  /** Digest of the full page of the range that this part halves, and how many halves in a row repeated that page. */
  readonly like: string | null
  readonly alike: number
}

export interface Due {
  readonly key: string
  readonly issued: Issued | null
}

/** Why a walk ended before it saw everything. */
export type GivenUp =
  | 'endless'
  /** An empty page with `hasMore` true. */
  | 'empty'
  /** The service lists other dates than requested, or gives no dates and the same page for every range. */
  | 'unfiltered'

interface Parts {
  readonly parts: readonly Part[]
  readonly due: readonly Due[]
  readonly onward: Settled | null
}

interface Common {
  readonly begin: number
  readonly end: Moment
  readonly documentTypeId: number | null
  readonly pageSize: number
  readonly types: readonly number[]
  readonly stated: readonly number[] | null
  readonly crowded: readonly CrowdedDate[]
  /** Dates listed type by type; types seen later are requested for them too. */
  readonly byType: readonly {
    readonly date: Issued
    readonly span: Span
    readonly types: readonly number[]
  }[]
  readonly requestsLeft: number
  /** How often a date ascended within a page: evidence that the service lists the oldest first. */
  readonly rises: number
  readonly back: number
  /**
   * Whether the service includes both ends of a requested range. `open`: no page yet; a Probe: being tested; `listed`: yes; `left-out`: no,
   * so the walk covers one more day on both sides; `unknown`: no item has a date.
   */
  readonly ends: 'open' | Probe | 'listed' | 'left-out' | 'unknown'
}

/** A date of the first page, narrowed until a range of one instant lists a document, or no range does. */
export interface Probe {
  readonly date: Issued
  /** Contains a document, provided that the service includes the ends. */
  readonly within: Span
  readonly asked: Span
}

/**
 * Position of a walk over accounting-sync (readings, accounting-sync), as plain data, so that it can be stored and resumed. `walk`: page by
 * page, from the latest date of the previous page. `types`: one crowded date, by document type. `bisect`: splits ranges until each fits a
 * page.
 */
export type Walk = Common &
  (
    | {
        readonly mode: 'walk'
        readonly from: Moment
        readonly settled: Settled | null
        /** Latest date of the previous page, of which this page must repeat a document; null: none. */
        readonly overlap: { readonly date: Moment; readonly keys: readonly string[] } | null
      }
    | ({ readonly mode: 'bisect' } & Parts)
    | ({
        readonly mode: 'types'
        readonly date: Issued
        readonly span: Span
        readonly left: readonly number[]
        readonly asked: readonly number[]
        readonly shown: number
        /** Keys of the crowded page that no request by type has returned yet. */
        readonly missing: readonly string[]
        readonly found: number
        readonly overfull: boolean
      } & Parts)
    | {
        readonly mode: 'done'
        readonly left?: readonly Span[]
        readonly why?: GivenUp
      }
  )

/**
 * Microseconds to step beyond a crowded date, or back from an excluded one. A service that truncates fractions returns the same date again;
 * then the next longer step is tried.
 */
export const STEPS = [1, 1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000] as const
/** Ascents needed before a service is trusted to list the oldest first; by chance that many occur at most once in 700 times. */
export const RISES_PROVE = 6
/** Request limit, for services that invent pages for ever; enough for 50 million documents. */
export const MOST_REQUESTS = 100_000

export const common = (walk: Common): Common => ({
  begin: walk.begin,
  end: walk.end,
  documentTypeId: walk.documentTypeId,
  pageSize: walk.pageSize,
  types: walk.types,
  stated: walk.stated,
  crowded: walk.crowded,
  byType: walk.byType,
  requestsLeft: walk.requestsLeft,
  rises: walk.rises,
  back: walk.back,
  ends: walk.ends,
})

export type In<M extends Walk['mode']> = Extract<Walk, { readonly mode: M }>

/** At the end of the range. With too few ascents, lists all documents again by parts, which proves the order. */
export const atEnd = (walk: Common): Walk =>
  walk.rises >= RISES_PROVE ? { ...common(walk), mode: 'done' } : bisecting(walk, wholeOf(walk))

export function behind(rest: Common, settled: Settled): Walk {
  const { date, step } = settled
  // First to the last instant of the date, since a service may exclude the start of a range.
  const own = date.unit > 1 || rest.ends === 'left-out' ? [date.unit - 1] : []
  const length = [...own, ...STEPS.filter((one) => one >= date.unit)][step]
  if (length === undefined)
    return { ...common(rest), mode: 'done', left: [restFrom(rest, date.instant)], why: 'unfiltered' }
  const instant = date.instant + length
  if (instant > rest.end.instant) return atEnd(rest)
  return {
    ...common(rest),
    mode: 'walk',
    from: { instant, text: dateTimeLike(instant, date.text) },
    settled,
    overlap: null,
  }
}

export const restFrom = ({ end }: Common, from: number): Span => ({ from, to: end.instant })

export function bisecting(rest: Common, { parts, due, onward }: Parts): Walk {
  const left = parts.filter(({ from, to }) => from <= to)
  if (left.length > 0) return { ...common(rest), mode: 'bisect', parts: left, due, onward }
  // A document seen before that no part listed shows that the parts are incomplete.
  const lost = due.map(({ issued }) => ({
    date: issued?.text ?? rest.end.text,
    count: 0,
    from: issued?.instant ?? rest.begin,
    to: issued ? lastOf(issued) : rest.end.instant,
  }))
  const found = { ...common(rest), crowded: onto(rest.crowded, lost) }
  return onward ? behind(found, onward) : { ...found, mode: 'done' }
}

/** Lists one crowded date by document types, then continues. */
export const listing = (
  rest: Common,
  crowd: Pick<In<'types'>, 'date' | 'span' | 'left' | 'asked' | 'shown' | 'missing'>,
  onward: Parts = { parts: [], due: [], onward: null },
): Walk => ({ ...common(rest), mode: 'types', ...crowd, ...onward, found: 0, overfull: false })

export const wholeOf = ({ begin, end }: Common): Parts => ({
  parts: [part(begin, end.instant)],
  due: [],
  onward: null,
})

export const part = (from: number, to: number): Part => ({ from, to, like: null, alike: 0 })

export const lastOf = ({ instant, unit }: Issued): number => instant + unit - 1

export function onto(crowded: readonly CrowdedDate[], more: readonly CrowdedDate[]): readonly CrowdedDate[] {
  const dates = new Map(crowded.map((one) => [one.date, one]))
  for (const one of more) {
    const known = dates.get(one.date)
    dates.set(
      one.date,
      known
        ? {
            date: one.date,
            count: Math.max(known.count, one.count),
            from: Math.min(known.from, one.from),
            to: Math.max(known.to, one.to),
          }
        : one,
    )
  }
  return [...dates.values()]
}

/**
 * Issue dates that a walk cannot claim to have fully listed: those ahead, crowded dates, and dates not yet requested by a type seen later.
 * Captured documents with these dates prove nothing if unlisted (readings, Reconciling). Ascending and disjoint.
 */
export function unreached(walk: Walk): readonly Span[] {
  const waiting = walk.byType.filter((listed) => walk.types.some((type) => !listed.types.includes(type)))
  const { begin, end, ends } = walk
  const spans = [...ahead(walk), ...walk.crowded, ...waiting.map(({ span }) => span)]
  if (ends === 'listed') return merged(spans)
  // A service that excludes the ends of ranges may omit a document at every split. Until that is known, all dates are uncertain.
  return ends === 'left-out' && spans.length === 0 ? [] : [{ from: begin, to: end.instant }]
}

function ahead(walk: Walk): readonly Span[] {
  switch (walk.mode) {
    case 'walk':
      // Includes the date itself, where pages overlap and more documents may follow.
      return [restFrom(walk, walk.from.instant)]
    case 'types':
    case 'bisect': {
      const { parts, onward } = walk
      const rest = onward ? [restFrom(walk, onward.date.instant)] : []
      return walk.mode === 'types' ? [walk.span, ...parts, ...rest] : [...parts, ...rest]
    }
    case 'done':
      return walk.left ?? []
  }
}

function merged(spans: readonly Span[]): readonly Span[] {
  const found: { from: number; to: number }[] = []
  for (const { from, to } of spans.filter((span) => span.from <= span.to).sort((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}
