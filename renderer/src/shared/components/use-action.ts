import { useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { beginAct } from '@/shared/live/acts.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

export interface Action {
  readonly busy: boolean
  readonly refusal: Refusal | null
  /** @returns true when it was done */
  run(work: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

/** Something asked of the host: busy meanwhile, and the refusal if there is one. What was typed stays where it is. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  return {
    busy,
    refusal,
    clear: () => setRefusal(null),
    run: async (work) => {
      beginAct()
      setBusy(true)
      setRefusal(null)
      try {
        await work()
        return true
      } catch (error) {
        setRefusal(refusalOf(error))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
