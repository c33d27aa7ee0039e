import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'
import type {
  SandboxLaboratory,
  SandboxLogQuery,
  SandboxOutcome,
  SandboxRunProgress,
  SandboxState,
  SandboxStatus,
} from '#contract/sandbox.ts'
import { given } from '@/shared/forms/form.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useNewestRows } from '@/shared/live/newest-rows.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

interface SandboxStore {
  /** Null until loaded. */
  readonly status: SandboxStatus | null
  /** Null while the sandbox is off. */
  readonly state: SandboxState | null
}

/** Interval of polling while the screen is open; the sandbox sends no pushes. */
const PAUSE_MS = 1_000

export const useSandbox = create<SandboxStore>()(() => ({ status: null, state: null }))
const set = useSandbox.setState

/** Reloads the state. After a failure the old state stays: a banner reports a lost connection, and the next poll shows changes. */
export async function refreshSandbox(): Promise<void> {
  const told = async (status: SandboxStatus) =>
    set({ status, state: status.running ? await api.call('sandbox.state', {}) : null })
  await api
    .call('sandbox.status', {})
    .then(told)
    .catch(() => undefined)
}

/** @throws RefusalError */
export async function startSandbox(): Promise<void> {
  set({ status: await api.call('sandbox.start', {}) })
  await refreshSandbox()
}

/** @throws RefusalError */
export const stopSandbox = async (): Promise<void> =>
  set({ status: await api.call('sandbox.stop', {}), state: null })

export const receiveLaboratory = (laboratory: SandboxLaboratory): void =>
  set(({ state }) => ({ state: state && { ...state, laboratory } }))

/** Keeps the state up to date while the screen is visible. @returns stops it */
export function watchSandbox(): () => void {
  const update = () => {
    if (document.visibilityState === 'visible') void refreshSandbox()
  }
  update()
  const timer = setInterval(update, PAUSE_MS)
  return () => clearInterval(timer)
}

/** A list of the sandbox, reloaded when its length changes, for example by the command line. */
export function useKept<T>(list: 'keys' | 'plugins' | 'subscriptions', read: () => Promise<T>) {
  const count = useSandbox((s) => s.state?.[list])
  const { data, refusal, renew } = useAnswer(list, read, count)
  const changed = () => {
    renew()
    return refreshSandbox()
  }
  return { data, refusal, changed }
}

/** The faults of deliveries, in the order of the screen. */
export const FAULTS = ['lose', 'delay', 'duplicate', 'reorder', 'cut'] as const

export function laboratoryOn(laboratory: SandboxLaboratory): boolean {
  const { fault, share, casing, nesting, order, reduce } = laboratory.sync
  return (
    FAULTS.some((name) => laboratory[name].share > 0) ||
    (fault !== 'none' && share > 0) ||
    [casing, nesting, order].some((way) => way !== 'documented') ||
    reduce !== 'none'
  )
}

/** Filter of the log; an absent member does not filter. */
export type LogFilter = Pick<
  SandboxLogQuery,
  'q' | 'type' | 'outcome' | 'kind' | 'subscription' | 'run' | 'lost'
>

export const useLogFilter = create<{ readonly filter: LogFilter }>()(() => ({ filter: {} }))

/** Sets members; an empty or null value removes one. */
export function changeFilter(members: { readonly [K in keyof LogFilter]?: LogFilter[K] | '' | null }): void {
  useLogFilter.setState(({ filter }) => ({ filter: given({ ...filter, ...members }) }))
}

const PER_PAGE = 200

/** Matching log entries, newest first, updated with the sandbox's state. */
export function useLog(filter: LogFilter) {
  const read = async (place: Pick<SandboxLogQuery, 'after'>) => {
    const query = { ...filter, ...place, order: 'newest', limit: PER_PAGE } as const
    const { entries: rows, ...page } = await api.call('sandbox.log', query)
    return { rows, ...page }
  }
  const { page, refusal, more } = useNewestRows(
    JSON.stringify(filter),
    () => read({}),
    (after) => read({ after }),
    useSandbox((s) => s.state),
  )
  const { rows, total, pending } = page ?? { rows: [], total: 0, pending: 0 }
  return { rows, total, pending, loading: page === null && refusal === null, refusal, more }
}
export type LogView = ReturnType<typeof useLog>

type Slot = 'emit' | 'operation' | `scenario:${string}`

interface Begun {
  /** One run, or one per body sent as written. */
  readonly runs: readonly string[]
  readonly events: number
  readonly emitting?: boolean
  /** Document, customer, supplier or product of the run, if there is exactly one. */
  readonly subject: string | null
}

export interface FollowedRun extends ReturnType<typeof together>, Pick<Begun, 'runs' | 'subject'> {
  /** Why the window stopped following the run. */
  readonly refusal: Refusal | null
  readonly ended: boolean
}

export const useRuns = create<{ readonly runs: Readonly<Partial<Record<Slot, FollowedRun>>> }>()(() => ({
  runs: {},
}))

const FIRST_PAUSE_MS = 60
const LONGEST_PAUSE_MS = 600

export const clearRuns = (): void => useRuns.setState({ runs: {} })

/** Combines runs: the sums, the newest entry, and the first run that ended early. */
export function together(runs: readonly SandboxRunProgress[]) {
  const outcomes: Partial<Record<SandboxOutcome, number>> = {}
  for (const run of runs)
    for (const [outcome, count] of Object.entries(run.outcomes) as [SandboxOutcome, number][])
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count
  const sum = (number: 'events' | 'pending' | 'lost') => runs.reduce((all, run) => all + run[number], 0)
  return {
    entries: Object.values(outcomes).reduce((all, count) => all + count, 0),
    events: sum('events'),
    pending: sum('pending'),
    lost: sum('lost'),
    outcomes,
    emitting: runs.some(({ running }) => running),
    last: runs.flatMap(({ last }) => last ?? []).sort((a, b) => b.id - a.id)[0] ?? null,
    early: runs.find(({ error }) => error !== null) ?? null,
  }
}

/** Follows runs until their last delivery has ended, until new runs take the slot, or until a reset. */
export async function followRun(slot: Slot, begun: Begun): Promise<void> {
  const put = (state: FollowedRun) => useRuns.setState(({ runs }) => ({ runs: { ...runs, [slot]: state } }))
  let state: FollowedRun = { ...together([]), emitting: false, ...begun, refusal: null, ended: false }
  put(state)
  const current = () => useRuns.getState().runs[slot]?.runs === begun.runs
  const told = new Map<string, SandboxRunProgress>()
  const isOpen = ({ running, pending }: SandboxRunProgress) => running || pending > 0
  for (let pause = FIRST_PAUSE_MS; current(); pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
    try {
      for (const run of begun.runs) {
        const known = told.get(run)
        if (!known || isOpen(known)) told.set(run, await api.call('sandbox.run', { run }))
      }
      const runs = [...told.values()]
      state = { ...state, ...together(runs), ended: !runs.some(isOpen) }
    } catch (error) {
      state = { ...state, emitting: false, ended: true, refusal: refusalOf(error) }
    }
    if (!current()) return
    put(state)
    if (state.ended) return
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
