import { useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
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

/** What is wrong, by field. */
type Wrong<E> = ReadonlyMap<string, E>

export interface FormOf<D extends object, P, E extends string> {
  readonly first: () => D
  readonly wrong: (draft: D) => Wrong<E>
  /** Fields that a refusal of the host is about; none: it is said of the whole. */
  readonly refused: (refusal: Refusal | null) => Wrong<E>
  readonly say: (error: E) => string
  /** What is sent; undefined where the draft cannot be. */
  readonly params: (draft: D) => P | undefined
  readonly send: (params: P) => Promise<unknown>
  readonly onSaved: () => void
}

/** A form of one thing that is kept: what is wrong is said beside its field once it was to be saved, what the host refused at once. */
export function useForm<D extends object, P, E extends string>(form: FormOf<D, P, E>) {
  const { draft, tried, action, change, try: tryNow } = useDraft(form.first)
  const wrong = form.wrong(draft)
  const refused = form.refused(action.refusal)
  return {
    draft,
    change,
    errorOf: (field: string): string | null => {
      const error = refused.get(field) ?? (tried ? wrong.get(field) : undefined)
      return error === undefined ? null : form.say(error)
    },
    /** For the dialog around the fields. */
    dialog: {
      busy: action.busy,
      refusal: refused.size > 0 ? null : action.refusal,
      onSubmit: async () => {
        tryNow()
        const params = form.params(draft)
        if (wrong.size > 0 || !params) return
        if (await action.run(() => form.send(params))) form.onSaved()
      },
    },
  }
}
