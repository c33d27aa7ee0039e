import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'
import type { SandboxOutcome, SandboxRunProgress } from '#contract/sandbox.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

export type Slot = 'emit' | 'operation' | `scenario:${string}`

export interface Begun {
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
