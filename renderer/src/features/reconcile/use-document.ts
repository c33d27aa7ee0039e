import { useEffect, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { DocumentComparison } from '#contract/reconcile.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** A captured body that is longer is not taken apart for the fields; those that differ come from the host. */
const LONGEST = 1_048_576

export interface DocumentState {
  readonly comparison: DocumentComparison | null
  /** Body of the latest captured event with accounting values; null: none, or not to be had. */
  readonly event: string | null
  readonly refusal: Refusal | null
}
const NOTHING: DocumentState = { comparison: null, event: null, refusal: null }

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
}

/** The latest captured event that says something about accounting; events of the tax authority do not. */
async function latestEvent({ deliveries }: DocumentComparison): Promise<string | null> {
  const captured = deliveries.filter(({ marks, rejected, size }) => {
    return !rejected && !marks.includes('synthetic') && size <= LONGEST
  })
  for (const { id } of [...captured].reverse()) {
    const body = await api.call('deliveries.body', { id, view: 'decoded', from: 0, length: LONGEST })
    const text = body.problem === null ? decoded(body.bytesBase64) : ''
    if (/"accounting"\s*:\s*\{/i.test(text)) return text
  }
  return null
}

/** One document of a reconciliation in full. What was shown stays until another is there. @param beat rises to ask again */
export function useDocument(sweep: number, key: string, beat: number): DocumentState {
  const [state, setState] = useState<DocumentState & { readonly of: string }>({ of: '', ...NOTHING })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the beat asks again
  useEffect(() => {
    let current = true
    const put = (now: DocumentState) => {
      if (current) setState({ of: key, ...now })
    }
    const read = async () => {
      const comparison = await api.call('reconciliation.document', { sweep, key })
      // What was shown of the same document stays until it is read anew.
      if (current)
        setState((now) => ({ of: key, comparison, event: now.of === key ? now.event : null, refusal: null }))
      const event = await latestEvent(comparison).catch(() => null)
      put({ comparison, event, refusal: null })
    }
    read().catch((error: unknown) => put({ ...NOTHING, refusal: refusalOf(error) }))
    return () => {
      current = false
    }
  }, [sweep, key, beat])
  return state.of === key ? state : NOTHING
}
