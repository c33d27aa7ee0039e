import type { DeliveryRow } from '#contract/delivery.ts'
import { readFilter } from './filter/read.ts'
import { EVERYTHING } from './filter/tree.ts'
import type { Deliveries, Store } from './ports.ts'

/** Debounce: analysis judges a burst in many small batches. */
const GATHER_MS = 250
/** Page size of a scan, and maximum pages per scan; a larger count would be of no use. */
const PAGE = 200
const PAGES = 10

/** Longest wait at the start for deliveries that an earlier process stored and did not judge; after it their notice counts. */
const SETTLED_MS = 60_000

export type MatchSource = Pick<Store, 'onNotice'> & {
  readonly deliveries: Pick<Deliveries, 'scan' | 'settled'>
}

export interface WantedMatches {
  readonly key: string
  readonly filter: string
}

interface MatchPorts {
  readonly store: MatchSource
  wanted(): readonly WantedMatches[]
  found(key: string, rows: readonly DeliveryRow[]): void
  /** Where an earlier process got to: it ended before it told what is later. */
  readonly from?: number | undefined
  /** Every delivery up to this id is being told. */
  reached?(id: number): void
}

/**
 * Finds deliveries that match filters, once they are judged. Only deliveries that arrive while this process runs, or after `from`, not those
 * judged again.
 * @returns a function that stops it
 */
export function watchMatches({ store, wanted, found, from, reached }: MatchPorts): () => void {
  /** Deliveries up to this id were scanned, or were there before. */
  let seen = from
  let judged = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let checking = false

  async function matching(filter: string, after: number, to: number): Promise<DeliveryRow[]> {
    const tree = readFilter(filter)
    const all: DeliveryRow[] = []
    for (let page = 0, from = after; page < PAGES; page++) {
      const rows = await store.deliveries.scan(tree, { after: from, limit: PAGE })
      all.push(...rows.filter(({ id }) => id <= to))
      const last = rows.at(-1)
      if (!last || rows.length < PAGE || last.id > to) break
      from = last.id
    }
    return all
  }

  async function check(): Promise<void> {
    timer = undefined
    if (checking || seen === undefined || judged <= seen) return
    checking = true
    const after = seen
    const to = judged
    seen = to
    const matched: [key: string, rows: readonly DeliveryRow[]][] = []
    // A store that cannot be read has its own banner; the next deliveries trigger the next scan.
    for (const { key, filter } of wanted())
      matched.push([key, await matching(filter, after, to).catch(() => [])])
    reached?.(to)
    for (const [key, rows] of matched) if (rows.length > 0) found(key, rows)
    checking = false
    if (judged > to) soon()
  }
  function soon(): void {
    timer ??= setTimeout(() => void check(), GATHER_MS)
  }

  /** Finds what an earlier process stored and did not tell. */
  async function catchUp(after: number): Promise<void> {
    const [newest] = await store.deliveries.scan(EVERYTHING, { after: null, limit: 1, newest: true })
    const last = newest?.id ?? 0
    // A store that was replaced may have lower ids.
    seen = Math.min(seen ?? after, last)
    if (last > seen && (await store.deliveries.settled(SETTLED_MS)) === 0) judged = Math.max(judged, last)
    if (judged > seen) soon()
  }

  const stop = store.onNotice((notice) => {
    if (notice.type === 'arrived' && seen === undefined) {
      seen = notice.firstId - 1
      reached?.(seen)
    }
    if (notice.type !== 'judged' || seen === undefined) return
    judged = Math.max(judged, notice.lastId)
    if (wanted().length === 0) {
      seen = judged
      reached?.(seen)
    } else if (judged > seen) soon()
  })
  if (from !== undefined) void catchUp(from).catch(() => undefined)
  return () => {
    stop()
    clearTimeout(timer)
  }
}
