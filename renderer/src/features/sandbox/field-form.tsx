import type { KeyboardEvent, ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { argumentsOf, type Field, type FieldSet, fieldError, type Typed } from './fields.ts'

/** What a sentence names, where it does not. */
const NOTHING = { least: '', most: '', length: '', at: '', code: '', name: '' }

/** Where the typed texts are kept, when that is not the form itself. */
interface Kept {
  readonly typed: Typed
  readonly write: (typed: Typed) => void
}

/** A form of fields that are described by data: what was typed, what is wrong with it, and what became of sending it. */
export function useFields<A>({ fields, schema }: FieldSet<A>, first: Typed = {}, kept?: Kept) {
  const { t } = useTranslation('sandbox')
  const action = useAction()
  const [own, write] = useState(first)
  const [tried, setTried] = useState(false)
  const typed = kept?.typed ?? own
  const put = kept?.write ?? write
  const errorOf = (field: Field) => fieldError(field, typed[field.name] ?? '')
  const refused = fields.find(({ name }) => name === action.refusal?.details?.path)?.name
  return {
    fields,
    typed,
    action,
    /** Whether all that stands in the fields can be sent. */
    right: fields.every((field) => errorOf(field) === null),
    /** A refusal that stands at no field. */
    refusal: refused === undefined ? action.refusal : null,
    tried,
    set: (name: string, text: string) => {
      put({ ...typed, [name]: text })
      action.clear()
    },
    /** What to say at a field: a text is judged once one tries to send it, a number or an id while one types. */
    said: (
      field: Field,
      sentence: (refusal: Refusal) => string = ({ message }) => message,
    ): string | null => {
      const wrong = errorOf(field)
      const early = wrong !== null && wrong[0] !== 'required' && !['name', 'url'].includes(field.type)
      if (wrong && (tried || early)) return t(`fields.${wrong[0]}`, { ...NOTHING, ...wrong[1] })
      return action.refusal && refused === field.name ? sentence(action.refusal) : null
    },
    /** @param also whether all that the fields do not hold is right, too @returns whether it was sent and done */
    submit: async (send: (args: A) => Promise<unknown>, also = true): Promise<boolean> => {
      setTried(true)
      if (!also || fields.some((field) => errorOf(field) !== null)) return false
      const done = await action.run(() => send(schema.parse(argumentsOf(fields, typed))))
      if (done) setTried(false)
      return done
    },
  }
}

export interface FormFieldProps {
  readonly form: Pick<ReturnType<typeof useFields<never>>, 'fields' | 'typed' | 'set' | 'said'>
  readonly name: string
  readonly label: string
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly unit?: string
  readonly placeholder?: string
  readonly className?: string | undefined
  /** What a value of a choice is called; its own name otherwise. */
  readonly called?: (value: string) => string
  readonly trailing?: ReactNode
  readonly refused?: (refusal: Refusal) => string
}

/** One field of a form, drawn by its type: a choice for values, else a text, in which arrows step a number. */
export function FormField(props: FormFieldProps) {
  const { form, name, unit, placeholder, called, trailing, refused, ...frame } = props
  const { t } = useTranslation('sandbox')
  const field = form.fields.find((one) => one.name === name)
  if (!field) return null
  const { type, required, values, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = field
  const typed = form.typed[name] ?? ''
  const shared = { ...frame, error: form.said(field, refused), value: typed }
  const change = (text: string) => form.set(name, text)
  const yesOrNo = (value: string) => t(value === 'true' ? 'operations.yes' : 'operations.no')
  const choices = type === 'boolean' ? ['true', 'false'] : values
  if (choices)
    return (
      <Select
        {...shared}
        onChange={change}
        options={[
          ...(required ? [] : [{ value: '', label: t('operations.chosen') }]),
          ...choices.map((value) => ({
            value,
            label: type === 'boolean' ? yesOrNo(value) : (called?.(value) ?? value),
          })),
        ]}
      />
    )
  const isNumber = type === 'integer' || type === 'decimal'
  const step = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (!isNumber || by === undefined) return
    event.preventDefault()
    change(String(Math.min(maximum, Math.max(minimum, (Number(typed) || minimum) + by))))
  }
  return (
    <TextField
      {...shared}
      mono={type !== 'string' && type !== 'name'}
      inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : undefined}
      placeholder={placeholder}
      onChange={change}
      onKeyDown={step}
      trailing={trailing ?? (unit ? <span className="flex-none pr-6 text-fg-3 text-s">{unit}</span> : null)}
    />
  )
}
