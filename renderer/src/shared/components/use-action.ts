import { useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { beginAct } from '@/shared/live/undo.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Runs a request to the host and tracks its busy state and its refusal. Typed values stay. */
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
    /** @returns true on success */
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
