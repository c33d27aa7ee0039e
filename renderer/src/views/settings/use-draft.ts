import { useState } from 'react'
import { type Action, useAction } from './use-action.ts'

/** What is being filled in, and how far it went. */
export interface Draft<D> {
  readonly draft: D
  /** It was to be saved once: what is wrong is said from then on. */
  readonly tried: boolean
  readonly action: Action
  /** A refusal is about what was there before. */
  change(part: Partial<D>): void
  try(): void
}

export function useDraft<D extends object>(first: () => D): Draft<D> {
  const action = useAction()
  const [draft, setDraft] = useState(first)
  const [tried, setTried] = useState(false)
  return {
    draft,
    tried,
    action,
    change: (part) => {
      setDraft({ ...draft, ...part })
      action.clear()
    },
    try: () => setTried(true),
  }
}
