import { create } from 'zustand'
import type { Kind } from '#catalog/kinds.ts'
import type { SandboxLogType, SandboxOutcome } from '#contract/sandbox.ts'

/** What of the log is shown; a member left out asks for nothing. */
export interface LogFilter {
  readonly q?: string
  readonly type?: SandboxLogType
  readonly outcome?: SandboxOutcome
  readonly kind?: Kind
  readonly subscription?: number
  readonly run?: string
  readonly lost?: true
}

interface LogFilterStore {
  readonly filter: LogFilter
  /** Only this. */
  show(filter: LogFilter): void
  /** Sets members; `undefined` takes one away. */
  change(members: { readonly [K in keyof LogFilter]?: LogFilter[K] | undefined }): void
}

export const useLogFilter = create<LogFilterStore>()((set, get) => ({
  filter: {},
  show: (filter) => set({ filter }),
  change: (members) => {
    const all = Object.entries({ ...get().filter, ...members })
    set({ filter: Object.fromEntries(all.filter(([, value]) => value !== undefined)) })
  },
}))
