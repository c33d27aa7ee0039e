import { readTimestamp } from '#catalog/date-time.ts'
import type { Sweep, SweepState } from '#contract/reconcile.ts'
import type { Clock } from '../ports.ts'
import type { ItemReading } from '../reconcile/item.ts'
import type { SweepStore } from '../reconcile/ports.ts'
import { pageItems } from '../reconcile/sweep-item.ts'
import { advanceSweep, isWithin, nextQuery, problemsOf, type SweepWalk } from '../reconcile/sweep-walk.ts'
import {
  type RetryPolicy,
  type SyncAnswer,
  type SyncQuery,
  type SyncSource,
  waitBeforeRetry,
} from '../reconcile/sync-source.ts'

const SHORTAGE_MS = 2_000
/** Tries where nothing listens at the address, and no page came before: most likely the address is wrong. */
const TRIES_UNHEARD = 3

export interface SweepPorts {
  readonly store: Pick<SweepStore, 'save' | 'change' | 'nameless' | 'shortage'>
  readonly clock: Clock
  readonly retries: RetryPolicy
  wait(ms: number, signal: AbortSignal): Promise<void>
  changed(): void
}

interface SweepTask {
  readonly sweep: Sweep
  readonly walk: SweepWalk
  readonly source: SyncSource
  readonly reading: ItemReading
  /** Its reason is the state to leave the sweep in: `paused` or `cancelled`. */
  readonly signal: AbortSignal
}

/**
 * Holds one page in memory, and stores each page together with the position of the walk, so that a sweep can resume from there.
 * @throws AcuseError `store-failed` when a page cannot be stored; the sweep then stays `running` at the previous page
 */
export async function runSweep(ports: SweepPorts, task: SweepTask): Promise<Sweep> {
  const { store, clock, changed } = ports
  const { signal, reading } = task
  let { sweep, walk } = task
  let reached = instantOf(sweep.reached)
  const leave = (state: SweepState, problems: Sweep['problems'] = []): Sweep => {
    const ended = state === 'paused' ? null : Math.round(clock.now())
    const left = store.change(sweep.id, { state, problems, endedAt: ended })
    changed()
    return left
  }
  for (let query = nextQuery(walk); query; query = nextQuery(walk)) {
    await untilThereIsRoom(ports, task)
    const got = await askUntilItCame(ports, task, query, sweep.pages > 0)
    if ('failure' in got) return leave(sweep.pages > 0 ? 'incomplete' : 'failed', [got.failure.problem])
    if ('cancelled' in got) return leave(leftAs(signal))
    const { items, facts, mapping, latest } = pageItems(got.page, reading, sweep.mapping)
    const own = items.filter((_, at) => isWithin(walk, sweep.range, facts[at]?.issued ?? null))
    walk = advanceSweep(walk, got.page, facts)
    const further = latest && latest.instant > reached ? latest : null
    reached = further?.instant ?? reached
    sweep = store.save(sweep.id, {
      items: own,
      walk,
      mapping,
      requests: 1,
      retries: 0,
      at: Math.round(clock.now()),
      reached: further?.text ?? null,
    })
    changed()
    if (signal.aborted && nextQuery(walk)) return leave(leftAs(signal))
  }
  const problems = problemsOf(walk, sweep.mapping?.issuedAt != null, store.nameless(sweep.id))
  return leave(problems.length > 0 ? 'incomplete' : 'complete', problems)
}

async function untilThereIsRoom({ store, wait, changed }: SweepPorts, { sweep, signal }: SweepTask) {
  let told: string | null = null
  for (let short = store.shortage(); short !== null && !signal.aborted; short = store.shortage()) {
    if (short !== told) {
      store.change(sweep.id, { problems: [{ code: 'disk-low', message: short, params: {} }] })
      changed()
    }
    told = short
    await wait(SHORTAGE_MS, signal)
  }
  if (told === null) return
  store.change(sweep.id, { problems: [] })
  changed()
}

/** Counts each failed try at once, so that a crash during the wait does not lose it. */
async function askUntilItCame(
  ports: SweepPorts,
  task: SweepTask,
  query: SyncQuery,
  heard: boolean,
): Promise<SyncAnswer> {
  const { store, changed } = ports
  const { source, signal, sweep } = task
  for (let tried = 1; ; tried++) {
    if (signal.aborted) return { cancelled: true }
    const answer = await source.page(query, signal)
    if (!('failure' in answer)) {
      if (tried > 1) store.change(sweep.id, { problems: [] })
      return answer
    }
    const { problem } = answer.failure
    const unheard = !heard && problem.params.code === 'connection-refused'
    const tries = unheard ? Math.min(TRIES_UNHEARD, ports.retries.tries) : ports.retries.tries
    const waitMs = waitBeforeRetry(answer.failure, tried, { ...ports.retries, tries })
    const params = { ...problem.params, tried, tries: tries - 1 }
    const retry = waitMs === null ? {} : { retries: 1, problems: [{ ...problem, params }] }
    store.change(sweep.id, { requests: 1, ...retry })
    if (waitMs === null) return answer
    changed()
    await ports.wait(waitMs, signal)
  }
}

const leftAs = ({ reason }: AbortSignal): SweepState => (reason === 'cancelled' ? 'cancelled' : 'paused')

function instantOf(text: string | null): number {
  const read = text === null ? null : readTimestamp(text)
  return read && 'instant' in read ? read.instant : Number.NEGATIVE_INFINITY
}
