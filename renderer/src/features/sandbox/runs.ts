import { create } from 'zustand'
import type { SandboxLogBrief, SandboxOutcome } from '#contract/sandbox.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Where a run was started: its result stands there. */
export type Slot = 'emit' | 'operation' | `scenario:${string}`

/** What the host said when a run began. */
export interface Begun {
  /** One, or one for each body that was sent as written. */
  readonly runs: readonly string[]
  /** Events made so far. */
  readonly events: number
  /** More are being made. */
  readonly making: boolean
  /** Document, customer, supplier or product that it is about, when it is one. */
  readonly subject: string | null
}

/** The state of one run: its events so far, and the outcome of their deliveries. */
export interface FollowedRun extends Begun {
  /** Deliveries that wait or are under way. */
  readonly pending: number
  readonly outcomes: Readonly<Partial<Record<SandboxOutcome, number>>>
  /** Entries about events that did not reach their target. */
  readonly lost: number
  /** The newest entry of the log. */
  readonly last: SandboxLogBrief | null
  /** Why it ended early, or cannot be followed any further. */
  readonly problem: string | null
  readonly ended: boolean
}

export const useRuns = create<{ readonly runs: Readonly<Partial<Record<Slot, FollowedRun>>> }>()(() => ({
  runs: {},
}))

const PER_PAGE = 1_000
const FIRST_PAUSE_MS = 60
const LONGEST_PAUSE_MS = 600

const put = (slot: Slot, run: FollowedRun) =>
  useRuns.setState(({ runs }) => ({ runs: { ...runs, [slot]: run } }))

export function clearRuns(): void {
  useRuns.setState({ runs: {} })
}

/** A run with the entries of one more page of the log. */
export function counted(run: FollowedRun, entries: readonly SandboxLogBrief[]): FollowedRun {
  const outcomes = { ...run.outcomes }
  let { lost } = run
  for (const entry of entries) {
    outcomes[entry.outcome] = (outcomes[entry.outcome] ?? 0) + 1
    if (entry.lost) lost += 1
  }
  return { ...run, outcomes, lost, last: entries.at(-1) ?? run.last }
}

/** Reads what is new of one run. @returns its new entries, and its deliveries that have not ended */
async function newOf(run: string, after: number) {
  const entries: SandboxLogBrief[] = []
  for (;;) {
    const last = entries.at(-1)?.id ?? after
    const page = await api.call('sandbox.log', { run, order: 'oldest', after: last, limit: PER_PAGE })
    entries.push(...page.entries)
    if (page.entries.length < PER_PAGE) return { entries, pending: page.pending }
  }
}

/** Follows runs through the log until their last delivery has ended; others in the same slot, or a reset, end the following. */
export async function followRun(slot: Slot, begun: Begun): Promise<void> {
  let state: FollowedRun = {
    ...begun,
    ...{ pending: 0, outcomes: {}, lost: 0, last: null, problem: null, ended: false },
  }
  put(slot, state)
  const current = () => useRuns.getState().runs[slot]?.runs === begun.runs
  const open = new Map(begun.runs.map((run) => [run, 0]))
  let pause = FIRST_PAUSE_MS
  while (current()) {
    try {
      const [first] = begun.runs
      // Asked before the log: what ends in between is then either still making, or already on the page.
      if (state.making && first !== undefined) {
        const { running, events, error } = await api.call('sandbox.run', { run: first })
        state = { ...state, making: running, events, problem: error }
      }
      let pending = 0
      for (const [run, after] of open) {
        const found = await newOf(run, after)
        state = counted(state, found.entries)
        pending += found.pending
        if (found.pending === 0 && !state.making) open.delete(run)
        else open.set(run, found.entries.at(-1)?.id ?? after)
      }
      state = { ...state, pending, ended: open.size === 0 }
    } catch (error) {
      state = { ...state, making: false, ended: true, problem: refusalOf(error).message }
    }
    if (!current()) return
    put(slot, state)
    if (state.ended) return
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)
  }
}
