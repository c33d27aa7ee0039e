import { create } from 'zustand'
import type { SandboxLaboratory, SandboxState, SandboxStatus } from '#contract/sandbox.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'

interface SandboxStore {
  /** Null until the host has told it. */
  readonly status: SandboxStatus | null
  /** Null while it does not run. */
  readonly state: SandboxState | null
}

/** The sandbox sends nothing by itself: the window polls its state while the screen is open. */
const PAUSE_MS = 1_000

export const useSandbox = create<SandboxStore>()(() => ({ status: null, state: null }))
const set = useSandbox.setState

/** Asks again. What fails keeps what is shown: a lost connection has a banner of its own, and the next time tells what ended meanwhile. */
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

/** Keeps the state true while the screen is open and in sight. @returns a function that ends it */
export function watchSandbox(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') void refreshSandbox()
  }
  look()
  const timer = setInterval(look, PAUSE_MS)
  return () => clearInterval(timer)
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
