import { useState } from 'react'
import type { CommandName, Params } from '#contract/commands.ts'
import { useAction } from '@/shared/components/use-action.ts'
import { type Form, judge, placeOf } from './form.ts'

interface FormHandling<C extends CommandName, D extends object, E extends string> {
  readonly form: () => Form<C, D, E>
  readonly say: (error: E, draft: D) => string
  readonly send: (params: Params<C>) => Promise<unknown>
  readonly onSaved: () => void
}

/** A form of one command. It shows what is wrong beside its field from the first attempt to save on, and what the host refuses at once. */
export function useForm<C extends CommandName, D extends object, E extends string>(
  handling: FormHandling<C, D, E>,
) {
  const action = useAction()
  const form = handling.form()
  const [draft, setDraft] = useState(form.first)
  const [tried, setTried] = useState(false)
  const { wrong, params, refusal } = judge(form, draft)
  const refused = placeOf(form, draft, action.refusal)
  /** @returns whether the host saved it */
  const save = async (): Promise<boolean> => {
    setTried(true)
    return params !== undefined && (await action.run(() => handling.send(params)))
  }
  return {
    draft,
    action,
    save,
    change: (part: Partial<D>) => {
      setDraft({ ...draft, ...part })
      // A refusal is about what the host was sent.
      action.clear()
    },
    errorOf: (field: string): string | null => {
      const error = refused?.[0] === field ? refused[1] : tried ? wrong.get(field) : undefined
      return error === undefined ? null : handling.say(error, draft)
    },
    /** For the dialog around the fields. */
    dialog: {
      busy: action.busy,
      refusal: refused ? null : (action.refusal ?? (tried ? refusal : null)),
      onSubmit: async () => {
        if (await save()) handling.onSaved()
      },
    },
  }
}
