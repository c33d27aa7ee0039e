import { useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { beginAct } from '@/shared/live/acts.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Something asked of the host: busy meanwhile, and the refusal if there is one. What was typed stays where it is. */
export function useAction() {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const refusalText = useRefusalText()
  return {
    busy,
    refusal,
    /** The refusal as a sentence. */
    refused: refusal && refusalText(refusal),
    clear: () => setRefusal(null),
    /** @returns true when it was done */
    run: async (work: () => Promise<unknown>): Promise<boolean> => {
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
export type Action = ReturnType<typeof useAction>
