import type { TypeOptions } from 'i18next'
import { type FormEvent, Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { FormRow } from '@/shared/components/form-dialog.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { Control, type Look } from './control.tsx'
import { boundsOf, type FieldName, type Form, judge, placeOf, valueAt, withValue, wordsOf } from './form.ts'

type Resources = TypeOptions['resources']
/** The names that words may have for a field. */
type Last<F extends string> = F extends `${string}.${infer Rest}` ? Last<Rest> : F
type Called<F extends string> = F extends `${infer First}.${string}` ? F | First | Last<F> : F
/** The fields that have a label: one that is missing does not compile. */
type Labelled<D, W> = { [F in FieldName<D>]: Called<F> & keyof W extends never ? never : F }[FieldName<D>]

interface FormHandling<C extends CommandName, D extends object, E extends string, N, P, F extends string> {
  readonly form: () => Form<C, D, E>
  /**
   * Where the words of the fields stand: a namespace and a part of it. A field `name`, or `account.name`, has the label `name`, perhaps
   * `nameHint`, `nameUnit` and `namePlaceholder`. A choice has `nameValues`, and perhaps `nameHints`; `errors` says what is wrong, unless
   * an error is a sentence itself or a number beyond its bounds.
   */
  readonly texts?: readonly [N, P]
  readonly look?: (draft: D) => Readonly<Partial<Record<F, Look>>>
  /** In place of the command itself. */
  readonly send?: (params: Params<C>, draft: D) => Promise<unknown>
  /** Takes the result of the command. */
  readonly onSaved?: (result: Result<C>) => unknown
  /** The dialog around the form. */
  readonly onClose?: () => void
  /** Takes each change of a drawn field that its command would take. */
  readonly onChange?: (field: string, value: unknown) => void
  /** The form stands in its page: what is saved elsewhere takes the place of the draft, and a changed field is judged at once. */
  readonly follow?: boolean
  /** Every error is shown at once. */
  readonly atOnce?: boolean
}

/**
 * A form of one command. It shows what is wrong beside its field from the first attempt to save on, and what the host refuses at once.
 * `fields` draws them, those of a list side by side.
 */
export function useForm<
  C extends CommandName,
  D extends object,
  E extends string,
  N extends keyof Resources = never,
  P extends keyof Resources[N] = never,
>(handling: FormHandling<C, D, E, N, P, Labelled<D, Resources[N][P]>>) {
  type Field = Labelled<D, Resources[N][P]>
  const { t, i18n } = useTranslation('components')
  const action = useAction()
  const form = handling.form()
  const [draft, setDraft] = useState(form.first)
  const [tried, setTried] = useState(false)
  const { wrong, params, refusal } = judge(form, draft)
  const refused = placeOf(form, draft, action.refusal)
  const saved = JSON.stringify(form.first)
  const latest = useRef(form.first)
  useLayoutEffect(() => {
    latest.current = form.first
  })
  const reset = () => {
    setDraft(latest.current)
    setTried(false)
    action.clear()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other values count
  useLayoutEffect(() => {
    if (handling.follow) reset()
  }, [saved])
  const [namespace, part] = handling.texts ?? []
  const words: unknown = namespace && i18n.getResource(i18n.language, String(namespace), String(part))

  /** @returns whether the host saved it */
  const save = async (): Promise<boolean> => {
    setTried(true)
    if (params === undefined) return false
    return action.run(async () => {
      if (handling.send) return handling.send(params, draft)
      const result = await api.call(form.command, params)
      await handling.onSaved?.(result)
    })
  }
  const submit = async () => {
    if (await save()) handling.onClose?.()
  }
  const put = (next: D) => {
    setDraft(next)
    // A refusal is about what the host was sent.
    action.clear()
  }
  const set = (field: string, value: unknown) => {
    const next = withValue(draft, field, value)
    put(next)
    if (!judge(form, next).wrong.has(field)) handling.onChange?.(field, value)
  }
  const isChanged = (field: string) => {
    const [now, first] = [valueAt(draft, field), valueAt(form.first, field)]
    // What is no number is NaN, which JSON has not.
    return typeof now === 'object' && now !== null
      ? JSON.stringify(now) !== JSON.stringify(first)
      : now !== first
  }
  const errorOf = (field: string): string | null => {
    const judged = tried || handling.atOnce || (handling.follow && isChanged(field))
    const isRefused = refused?.[0] === field
    const error = isRefused ? refused[1] : judged ? wrong.get(field) : undefined
    if (error === undefined) return null
    const said = wordsOf(valueAt(words, 'errors'), error)
    if (typeof said === 'string') return said
    if (isRefused && error === field) return action.refused ?? ''
    const { whole, ...bounds } = boundsOf(form.command, error) ?? {}
    return whole === undefined ? error : t(whole ? 'numbers.whole' : 'numbers.decimal', bounds)
  }
  const text = (field: string, suffix: string) => {
    const found = wordsOf(words, field, suffix)
    return typeof found === 'string' ? found : undefined
  }
  const draw = (field: Field): ReactNode => {
    const value = valueAt(draft, field)
    const hints = valueAt(wordsOf(words, field, 'Hints'), String(value))
    const values = Object.entries(wordsOf(words, field, 'Values') ?? {})
    const options = values.map(([value, label]) => ({ value, label: String(label) }))
    // Of a few values all are in sight; their hints would take more room than a list.
    const look = handling.look?.(draft)[field]
    const few = !look?.select && (hints === undefined ? options.length < 5 : options.length < 3)
    const choice = options.length === 0 ? {} : few ? { segments: options } : { options }
    const optional = {
      unit: text(field, 'Unit') ?? (field.endsWith('Ms') ? 'ms' : undefined),
      placeholder: text(field, 'Placeholder'),
    }
    return (
      <Control
        label={text(field, '') ?? ''}
        hint={typeof hints === 'string' ? hints : text(field, 'Hint')}
        error={errorOf(field)}
        {...optional}
        {...choice}
        {...look}
        value={value}
        onChange={(next) => set(field, next)}
      />
    )
  }
  return {
    draft,
    /** What would be sent; undefined while something is wrong. */
    params,
    action,
    save,
    /** Shows what is wrong, as an attempt to save does. @returns whether none of these fields is */
    check: (of: readonly Field[]): boolean => {
      setTried(true)
      return of.every((field) => !wrong.has(field))
    },
    change: (part: Partial<D>) => put({ ...draft, ...part }),
    set,
    errorOf,
    draw,
    fields: (...of: readonly (Field | readonly Field[])[]): ReactNode =>
      of.map((one) => {
        const row = typeof one === 'string' ? [one] : one
        const drawn = row.map((field) => <Fragment key={field}>{draw(field)}</Fragment>)
        const warnings = row.map((field) => handling.look?.(draft)[field]?.warning)
        return (
          <Fragment key={row.join()}>
            {one === row ? <FormRow>{drawn}</FormRow> : drawn}
            {warnings.map((warning) =>
              warning ? (
                <Banner key={warning} tone="warning" inset>
                  {warning}
                </Banner>
              ) : null,
            )}
          </Fragment>
        )
      }),
    /** For the element around fields that stand in their page. */
    bind: {
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
    /** For the dialog around the fields. */
    dialog: {
      busy: action.busy,
      refusal: refused ? null : (action.refusal ?? (tried ? refusal : null)),
      onSubmit: submit,
      onClose: () => handling.onClose?.(),
    },
    changed: JSON.stringify(draft) !== saved,
    reset,
  }
}
