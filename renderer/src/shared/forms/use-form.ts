import type { TypeOptions } from 'i18next'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandName, Params } from '#contract/commands.ts'
import { useAction } from '@/shared/components/use-action.ts'
import { type Form, judge, placeOf } from './form.ts'

type Resources = TypeOptions['resources']

interface FormHandling<C extends CommandName, D extends object, E extends string, N, P> {
  readonly form: () => Form<C, D, E>
  /**
   * Where the words of the fields stand: a namespace and a part of it. A field `name` has the label `name`, perhaps `nameHint`, and
   * `nameValues` where it is a choice; `errors` has what is wrong.
   */
  readonly texts?: readonly [N, P]
  /** For errors that are said otherwise. */
  readonly say?: (error: E, draft: D) => string
  readonly send: (params: Params<C>, draft: D) => Promise<unknown>
  readonly onSaved?: () => void
  /** The form stands in its page: what is saved elsewhere takes the place of the draft, and a changed field is judged at once. */
  readonly follow?: boolean
  /** Every error is shown at once. */
  readonly atOnce?: boolean
}

/** Texts of a form as they are at run time: sentences, and lists of them by name. */
type Words = Readonly<Record<string, unknown>>
const text = (words: unknown, name: string): string | undefined => {
  const found = typeof words === 'object' && words !== null ? (words as Words)[name] : undefined
  return typeof found === 'string' ? found : undefined
}
type Of<D, V> = { [K in keyof D]: D[K] extends V ? K : never }[keyof D]

/**
 * A form of one command. It shows what is wrong beside its field from the first attempt to save on, and what the host refuses at once.
 * `field`, `toggle` and `choice` give a control its label, hint, error, value and change; a label that is missing does not compile.
 */
export function useForm<
  C extends CommandName,
  D extends object,
  E extends string,
  N extends keyof Resources = never,
  P extends keyof Resources[N] = never,
>(handling: FormHandling<C, D, E, N, P>) {
  type Named = keyof Resources[N][P] & string
  const { i18n } = useTranslation()
  const action = useAction()
  const form = handling.form()
  const [draft, setDraft] = useState(form.first)
  const [tried, setTried] = useState(false)
  const { wrong, params, refusal } = judge(form, draft)
  const refused = placeOf(form, draft, action.refusal)
  const saved = JSON.stringify(form.first)
  const reset = () => {
    setDraft(form.first)
    setTried(false)
    action.clear()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other values count
  useLayoutEffect(() => {
    if (handling.follow) reset()
  }, [saved])
  const [namespace, part] = handling.texts ?? []
  const words: Words = (namespace && i18n.getResource(i18n.language, String(namespace), String(part))) || {}

  /** @returns whether the host saved it */
  const save = async (): Promise<boolean> => {
    setTried(true)
    return params !== undefined && (await action.run(() => handling.send(params, draft)))
  }
  const put = (part: object) => {
    setDraft({ ...draft, ...part })
    // A refusal is about what the host was sent.
    action.clear()
  }
  const isChanged = (field: string): boolean => {
    const [now, first] = [draft, form.first].map((one) => (one as Words)[field])
    return JSON.stringify(now) !== JSON.stringify(first)
  }
  const errorOf = (field: string): string | null => {
    const judged = tried || handling.atOnce || (handling.follow && isChanged(field))
    const error = refused?.[0] === field ? refused[1] : judged ? wrong.get(field) : undefined
    if (error === undefined) return null
    return handling.say?.(error, draft) ?? text(words.errors, error) ?? ''
  }
  const labelled = (name: string) => ({ label: text(words, name) ?? '', hint: text(words, `${name}Hint`) })
  const setter =
    <K extends keyof D>(name: K) =>
    (value: D[K]) =>
      put({ [name]: value })
  return {
    draft,
    /** What would be sent; undefined while something is wrong. */
    params,
    action,
    save,
    change: (part: Partial<D>) => put(part),
    errorOf,
    field: <K extends keyof D & Named>(name: K) => ({
      ...labelled(name),
      error: errorOf(name),
      value: draft[name],
      onChange: setter(name),
    }),
    toggle: <K extends Of<D, boolean> & Named>(name: K) => ({
      ...labelled(name),
      checked: draft[name] === true,
      onChange: (checked: boolean) => put({ [name]: checked }),
    }),
    choice: <K extends Of<D, string> & Named>(name: K, values: readonly D[K][]) => {
      const members = values.map((value) => ({
        value,
        label: text(words[`${name}Values`], String(value)) ?? '',
      }))
      return {
        label: text(words, name) ?? '',
        value: draft[name],
        onChange: setter(name),
        segments: members,
        options: members,
      }
    },
    /** For the dialog around the fields. */
    dialog: {
      busy: action.busy,
      refusal: refused ? null : (action.refusal ?? (tried ? refusal : null)),
      onSubmit: async () => {
        if (await save()) handling.onSaved?.()
      },
    },
    changed: JSON.stringify(draft) !== saved,
    reset,
  }
}
