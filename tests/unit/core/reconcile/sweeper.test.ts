import { describe, expect, it } from 'vitest'
import type { Sweep, SweepRange } from '#contract/reconcile.ts'
import { AS_FOUND } from '#core/reconcile/item.ts'
import type { SweepChange, SweepPage } from '#core/reconcile/ports.ts'
import { beginSweep, type SweepWalk } from '#core/reconcile/sweep-walk.ts'
import { readPage, type SyncAnswer, type SyncQuery, type SyncSource } from '#core/reconcile/sync-source.ts'
import { runSweep, type SweepPorts } from '#core/sweep/sweeps.ts'

const RANGE: SweepRange = {
  route: 'accounting',
  from: '2026-10-01T00:00:00-04:00',
  to: '2026-10-31T23:59:59.999999-04:00',
  documentTypeId: null,
  pageSize: 3,
}
const NOW = Date.UTC(2026, 10, 1)

/** Sweeps and items in memory, as a SweepStore keeps them. */
function memory(range: SweepRange) {
  const items = new Map<string, string>()
  const log: string[] = []
  /** Answers about free disk space, in order; after them there is room. */
  const shortages: string[] = []
  let walk: SweepWalk = beginSweep(range, [])
  let sweep: Sweep = {
    ...{ id: 1, connection: 'main', range, state: 'running', problems: [], startedAt: NOW, endedAt: null },
    ...{ requests: 0, retries: 0, pages: 0, items: 0, documents: 0, reached: null, mapping: null },
    imported: false,
  }
  const add = ({ requests = 0, retries = 0 }: SweepChange) => ({
    requests: sweep.requests + requests,
    retries: sweep.retries + retries,
  })
  const store: SweepPorts['store'] = {
    save(_, page: SweepPage) {
      for (const { key, raw } of page.items) items.set(key, new TextDecoder().decode(raw))
      walk = JSON.parse(JSON.stringify(page.walk))
      const { mapping, reached } = page
      sweep = {
        ...sweep,
        ...add(page),
        ...{ mapping, reached: reached ?? sweep.reached },
        ...{ pages: sweep.pages + 1, items: sweep.items + page.items.length, documents: items.size },
      }
      log.push('page')
      return sweep
    },
    change(_, { state = sweep.state, problems = sweep.problems, endedAt = sweep.endedAt, ...rest }) {
      sweep = { ...sweep, ...add(rest), state, problems, endedAt }
      const { tried, tries } = problems[0]?.params ?? {}
      if (tried !== undefined) log.push(`retry ${tried} of ${tries}`)
      if (problems[0]?.code === 'disk-low') log.push(`${state}: ${problems[0].message}`)
      return sweep
    },
    shortage: () => shortages.shift() ?? null,
    nameless: () => [...items.keys()].filter((key) => key.startsWith('item:')).length,
  }
  return { store, items, log, shortages, sweep: () => sweep, walk: () => walk }
}

function rig(range: SweepRange, answer: (query: SyncQuery, nth: number) => SyncAnswer) {
  const kept = memory(range)
  const queries: SyncQuery[] = []
  const waits: number[] = []
  const stopping = new AbortController()
  const source: SyncSource = {
    async page(query, signal) {
      if (signal.aborted) return { cancelled: true }
      queries.push(query)
      return answer(query, queries.length)
    },
  }
  const ports: SweepPorts = {
    store: kept.store,
    clock: { now: () => NOW },
    retries: { tries: 4, firstMs: 100, mostMs: 300 },
    wait: async (ms) => void waits.push(ms),
    changed: () => {},
  }
  const run = (signal = stopping.signal) =>
    runSweep(ports, { sweep: kept.sweep(), walk: kept.walk(), source, reading: AS_FOUND, signal })
  return { ...kept, queries, waits, stopping, run }
}

const page = (text: string): SyncAnswer => {
  const read = readPage(new TextEncoder().encode(text))
  if ('code' in read) throw new Error(read.message)
  return { page: read, status: 200 }
}
const item = (n: number, day = n) =>
  `{"DocumentId":"D${n}","Number":"E31${n}","IssuedAt":"2026-10-${String(day).padStart(2, '0')}T08:00:00-04:00","Accounting":{"Total":${n}.50}}`
const failing = (passing: boolean, retryAfterMs: number | null = null): SyncAnswer => ({
  failure: {
    ...{ passing, retryAfterMs, status: 500, body: '' },
    problem: { code: 'server-error', message: 'The service answered 500.', params: {} },
  },
})
/** A service that pages over documents 1 to 8, one per day, by the specification. */
const service = ({ from, pageSize }: SyncQuery): SyncAnswer => {
  const first = Math.max(1, Number(from?.slice(8, 10)))
  const all = Array.from({ length: 8 }, (_, i) => i + 1).filter((n) => n >= first)
  return page(`{"items":[${all.slice(0, pageSize).map((n) => item(n))}],"hasMore":${all.length > pageSize}}`)
}

describe('a sweep over accounting-sync', () => {
  it('asks for nothing while the disk has too little room, says so, and goes on by itself', async () => {
    const { run, log, shortages, waits } = rig(RANGE, service)
    shortages.push('Only 10 MB.', 'Only 10 MB.', 'Only 9 MB.')
    expect(await run()).toMatchObject({ state: 'complete', problems: [] })
    expect(log.slice(0, 3)).toEqual(['running: Only 10 MB.', 'running: Only 9 MB.', 'page'])
    expect(waits).toEqual([2_000, 2_000, 2_000])
  })

  it.each(['from', 'to', 'both'] as const)(
    'asks beyond the range where the service leaves out its ends (%s)',
    async (without) => {
      const day = (text: string | null) => text?.slice(0, 10) ?? ''
      const listed = [
        item(90, 1).replace('2026-10-01', '2026-09-30'),
        ...[item(0, 1), item(31), item(7), item(5)],
        item(91, 1).replace('2026-10-01', '2026-11-01'),
      ]
      const { run, items, queries } = rig({ ...RANGE, pageSize: 200 }, ({ from, to }) => {
        const own = listed.filter((text) => {
          const at = /"IssuedAt":"([^"]{10})/.exec(text)?.[1] ?? ''
          return (
            (without === 'to' ? at >= day(from) : at > day(from)) &&
            (without === 'from' ? at <= day(to) : at < day(to))
          )
        })
        return page(`{"items":[${own}],"hasMore":false}`)
      })
      expect(await run()).toMatchObject({ state: 'complete', problems: [], documents: 4 })
      expect([...items.keys()].sort()).toEqual(['d0', 'd31', 'd5', 'd7'])
      expect(queries.map(({ from }) => from?.slice(5, 10))).toEqual(['10-01', expect.any(String), '09-30'])
    },
  )

  it('asks beyond a range in which nothing is listed, since that may be its ends as well', async () => {
    const { run, queries } = rig(RANGE, () => page('{"items":[],"hasMore":false}'))
    expect(await run()).toMatchObject({ state: 'complete', documents: 0, pages: 2 })
    expect(queries.at(-1)).toMatchObject({ from: '2026-09-30T00:00:00-04:00', pageSize: 3 })
    expect(queries.at(-1)?.to).toBe('2026-11-01T23:59:59.999999-04:00')
  })

  it('asks again with growing pauses, longer where the service says so, and counts that', async () => {
    const first = [failing(true), failing(true, 5_000)]
    const { run, waits, log } = rig(RANGE, (query, nth) => first[nth - 1] ?? service(query))
    expect(await run()).toMatchObject({ state: 'complete', problems: [], requests: 9, retries: 2 })
    expect(waits).toEqual([100, 5_000])
    // During a wait the user sees the reason and the number of tries.
    expect(log.slice(0, 2)).toEqual(['retry 1 of 3', 'retry 2 of 3'])
  })

  it('fails when no page came, is incomplete when some did; each with the reason', async () => {
    const never = rig(RANGE, () => failing(true))
    expect(await never.run()).toMatchObject({
      ...{ state: 'failed', requests: 4, retries: 3, pages: 0 },
      problems: [{ code: 'server-error' }],
    })
    expect(never.waits).toEqual([100, 200, 300])
    const later = rig(RANGE, (query, nth) => (nth > 2 ? failing(false) : service(query)))
    expect(await later.run()).toMatchObject({ state: 'incomplete', requests: 3, pages: 2 })
  })

  it('ends soon where nothing listens, unless a page came before', async () => {
    const problem = { code: 'unreachable', message: '', params: { code: 'connection-refused' } } as const
    const refused: SyncAnswer = {
      failure: { passing: true, retryAfterMs: null, status: null, body: null, problem },
    }
    const never = rig(RANGE, () => refused)
    expect(await never.run()).toMatchObject({ state: 'failed', requests: 3 })
    const later = rig(RANGE, (query, nth) => (nth > 1 ? refused : service(query)))
    expect(await later.run()).toMatchObject({ state: 'incomplete', requests: 5, pages: 1 })
  })

  it('keeps items of any shape, and is not whole where nothing says which document they are', async () => {
    const { run, items } = rig(RANGE, () =>
      page('{"items":[null,7,"x",[],{},{"Number":"E31"}],"hasMore":false}'),
    )
    expect(await run()).toMatchObject({
      ...{ state: 'incomplete', items: 6 },
      problems: [{ code: 'nameless-items', params: { count: 5 } }, { code: 'order-unknown' }],
    })
    expect([items.get('number:E31'), items.size]).toEqual(['{"Number":"E31"}', 6])
  })
})
