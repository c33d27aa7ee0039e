import { create } from 'zustand'
import type { SandboxLaboratory, SandboxState, SandboxStatus } from '#contract/sandbox.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

interface SandboxStore {
  /** Null until the host has told it. */
  readonly status: SandboxStatus | null
  /** Null while it does not run. */
  readonly state: SandboxState | null
}

/** The sandbox sends nothing by itself: the window polls its state while the screen is open. */
const PAUSE_MS = 1_000

export const useSandbox = create<SandboxStore>()(() => ({ status: null, state: null }))
const { getState: known, setState: set } = useSandbox

/** Asks again. What fails keeps what is shown: a lost connection has a banner of its own. */
export async function refreshSandbox(): Promise<void> {
  try {
    const status = await api.call('sandbox.status', {})
    const state = status.running ? await api.call('sandbox.state', {}) : null
    set({ status, state })
  } catch (error) {
    // It ended between the two questions.
    if (refusalOf(error).code === 'not-available' && known().state)
      await api
        .call('sandbox.status', {})
        .then((status) => set({ status, state: status.running ? known().state : null }))
        .catch(() => undefined)
  }
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

/** Keeps the state true while the screen is open and in sight. @returns a function that ends it */
export function watchSandbox(): () => void {
  let over = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    if (document.visibilityState === 'visible') await refreshSandbox()
    if (!over) timer = setTimeout(() => void look(), PAUSE_MS)
  }
  void look()
  return () => {
    over = true
    clearTimeout(timer)
  }
}

/** A list that the sandbox keeps. Another number of its things means that the command line changed it. */
export function useKept<T>(list: 'keys' | 'plugins' | 'subscriptions', read: () => Promise<T>) {
  const count = useSandbox((s) => s.state?.[list])
  const { data, refusal, renew } = useAnswer(list, read, count)
  const changed = () => {
    renew()
    return refreshSandbox()
  }
  return { data, refusal, changed }
}

/** The faults of deliveries, in the order in which they are shown. */
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
