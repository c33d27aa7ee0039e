import { dateTimeLike } from '#catalog/date-time.ts'

/** Instants and spans are microseconds, their ends included. */
export interface Moment {
  readonly instant: number
  readonly text: string
}

export interface Issued extends Moment {
  /** Microseconds that it stands for: `2026-10-05` is a whole day. */
  readonly unit: number
}

export interface PageFacts {
  readonly hasMore: boolean
  /** In their order. */
  readonly items: readonly {
    /** Document id, else number, else a digest: equal for the same document. */
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

/** The crowded date behind which the walk goes on, and how many steps did not lead beyond it. */
export interface Settled {
  readonly date: Issued
  readonly step: number
}

export interface CrowdedDate extends Span {
  readonly date: string
  readonly count: number
}

export interface Part extends Span {
  /** Digest of the full page of which this is a half, and how often in a row a half gave that very page. */
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
  /** An empty page that says that more follows. */
  | 'empty'
  /** The service lists other dates than it is asked for, or gives no dates and the same page for every range. */
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
  /** Listed type by type; a type that is seen later is asked for there, too. */
  readonly byType: readonly {
    readonly date: Issued
    readonly span: Span
    readonly types: readonly number[]
  }[]
  readonly requestsLeft: number
  /** How often a date rose within a page: what shows that the service begins with the oldest. */
  readonly rises: number
  readonly back: number
  /**
   * Whether the service lists the dates at both ends of the range that it is asked for. `open`: no page yet; a probe: what shows it is
   * asked for; `listed`; `left-out`: the walk goes from a day before the range to a day behind it instead. `unknown`: no item has a date.
   */
  readonly ends: 'open' | Probe | 'listed' | 'left-out' | 'unknown'
}

/** A date of the first page, narrowed until a range of one instant lists a document, or none does. */
export interface Probe {
  readonly date: Issued
  /** Lists a document, as far as the service lists the ends. */
  readonly within: Span
  readonly asked: Span
}

/**
 * Where a walk over accounting-sync stands (readings, accounting-sync); plain data, so that it can be stored and gone on with.
 * `walk`: page by page from the latest date of the page before. `types`: one crowded date, document type by document type.
 * `bisect`: ranges are parted until each fits a page.
 */
export type Walk = Common &
  (
    | {
        readonly mode: 'walk'
        readonly from: Moment
        readonly settled: Settled | null
        /** The latest date of the page before, of which this page has to show a document again; null: none. */
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
        /** Keys of the crowded page that no type has shown yet. */
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
 * Microseconds to go beyond a crowded date, or back from one that is left out. A service that cuts fractions off gives the same date again:
 * then the next longer step is tried.
 */
export const STEPS = [1, 1_000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000] as const
/** Dates that have to rise before a service is trusted to begin with the oldest: by chance so many do once in 700 times at most. */
export const RISES_PROVE = 6
/** A walk ends even where the service invents pages for ever: so many requests are enough for 50 million documents. */
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

/** The end of the range is reached. Where hardly any date rose on the way, its documents are listed by parts as well: that proves the order. */
export const atEnd = (walk: Common): Walk =>
  walk.rises >= RISES_PROVE ? { ...common(walk), mode: 'done' } : bisecting(walk, wholeOf(walk))

export function behind(rest: Common, settled: Settled): Walk {
  const { date, step } = settled
  // The date's last instant first: a service that leaves out the date it is asked from begins with the next one.
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
  // What no part listed was there before: the parts are not the whole.
  const lost = due.map(({ issued }) => ({
    date: issued?.text ?? rest.end.text,
    count: 0,
    from: issued?.instant ?? rest.begin,
    to: issued ? lastOf(issued) : rest.end.instant,
  }))
  const found = { ...common(rest), crowded: onto(rest.crowded, lost) }
  return onward ? behind(found, onward) : { ...found, mode: 'done' }
}

/** Lists one crowded date by document types, then goes on with the rest. */
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
 * Issue dates of which a walk cannot say that it listed all documents: what lies ahead, crowded dates, and dates that wait for a type seen
 * later. A captured document of these that the sweep does not list proves nothing (readings, Reconciling). Rising, none touching the next.
 */
export function unreached(walk: Walk): readonly Span[] {
  const waiting = walk.byType.filter((listed) => walk.types.some((type) => !listed.types.includes(type)))
  const { begin, end, ends } = walk
  const spans = [...ahead(walk), ...walk.crowded, ...waiting.map(({ span }) => span)]
  if (ends === 'listed') return merged(spans)
  // A service that leaves out the dates at which the range is parted may lack a document of any of them. Before it has shown which
  // dates it leaves out, that may be all of them.
  return ends === 'left-out' && spans.length === 0 ? [] : [{ from: begin, to: end.instant }]
}

function ahead(walk: Walk): readonly Span[] {
  switch (walk.mode) {
    case 'walk':
      // The date itself as well: pages overlap in it, and more of it may follow.
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
