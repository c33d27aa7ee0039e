import type { DeliveryRow } from '#contract/delivery.ts'
import { readFilter } from './filter/read.ts'
import type { Deliveries, Store } from './ports.ts'

/** Debounce: analysis judges a burst in many small batches. */
const GATHER_MS = 250
/** Page size of a scan, and maximum pages per scan; a larger count would be of no use. */
const PAGE = 200
const PAGES = 10

export type MatchSource = Pick<Store, 'onNotice'> & { readonly deliveries: Pick<Deliveries, 'scan'> }

export interface WantedMatches {
  readonly key: string
  readonly filter: string
}

interface MatchPorts {
  readonly store: MatchSource
  wanted(): readonly WantedMatches[]
  found(key: string, rows: readonly DeliveryRow[]): void
}

/**
 * Finds deliveries that match filters, once they are judged. Only deliveries that arrive while this process runs, not those judged again.
 * @returns a function that stops it
 */
export function watchMatches({ store, wanted, found }: MatchPorts): () => void {
  /** Deliveries up to this id were scanned, or were there before. */
  let seen: number | undefined
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
    for (const { key, filter } of wanted()) {
      // A store that cannot be read has its own banner; the next deliveries trigger the next scan.
      const rows = await matching(filter, after, to).catch(() => [])
      if (rows.length > 0) found(key, rows)
    }
    checking = false
    if (judged > to) soon()
  }
  function soon(): void {
    timer ??= setTimeout(() => void check(), GATHER_MS)
  }

  const stop = store.onNotice((notice) => {
    if (notice.type === 'arrived') seen ??= notice.firstId - 1
    if (notice.type !== 'judged' || seen === undefined) return
    judged = Math.max(judged, notice.lastId)
    if (wanted().length === 0) seen = judged
    else if (judged > seen) soon()
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
