import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedFilter } from '#contract/settings.ts'
import { FILTER_NAME } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { TextField } from '@/shared/components/text-field.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import styles from './saved-filters.module.css'

const LONGEST = 60

/** The filter that has a name already; the host tells names apart ignoring case. @param but the one that is being renamed */
export const takenBy = (
  saved: readonly SavedFilter[],
  name: string,
  but?: SavedFilter,
): SavedFilter | undefined =>
  saved.find((one) => one !== but && one.name.toLowerCase() === name.trim().toLowerCase())

interface SaveFormProps {
  readonly filter: string
  readonly saved: readonly SavedFilter[]
  readonly onSaved: () => void
}

/** Gives the filter that is typed a name. */
export function SaveForm({ filter, saved, onSaved }: SaveFormProps) {
  const { t } = useTranslation('filters')
  const refusalText = useRefusalText()
  const receive = useSettings((s) => s.receive)
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const old = takenBy(saved, name)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!FILTER_NAME.test(name.trim())) return setError(t('saved.badName'))
    try {
      receive(await api.call('filters.save', { name: name.trim(), filter }))
      onSaved()
    } catch (refused) {
      setError(refusalText(refusalOf(refused)))
    }
  }
  return (
    <form
      className={cx(styles.form, 'flex flex-col items-end gap-8 px-14 py-12 border-b border-line')}
      onSubmit={save}
    >
      <TextField
        label={t('saved.name')}
        hint={old ? t('saved.replaces', { filter: old.filter }) : filter}
        value={name}
        maxLength={LONGEST}
        {...(error === undefined ? {} : { error })}
        onChange={(next) => {
          setName(next)
          setError(undefined)
        }}
      />
      <Button type="submit" variant="primary" disabled={name.trim() === ''}>
        {t('saved.save')}
      </Button>
    </form>
  )
}

interface RenameFormProps {
  readonly one: SavedFilter
  readonly saved: readonly SavedFilter[]
  /** @param name as it is called now */
  readonly onDone: (name: string) => void
}

/** Another name for a saved filter. Its columns and whether it notifies stay its own. */
export function RenameForm({ one, saved, onDone }: RenameFormProps) {
  const { t } = useTranslation('filters')
  const refusalText = useRefusalText()
  const receive = useSettings((s) => s.receive)
  const [typed, setTyped] = useState(one.name)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const name = typed.trim()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (name === one.name) return onDone(name)
    if (!FILTER_NAME.test(name)) return setError(t('saved.badName'))
    const other = takenBy(saved, name, one)
    if (other) return setError(t('saved.taken', { name: other.name }))
    try {
      receive(await api.call('filters.save', { name, filter: one.filter, previousName: one.name }))
      onDone(name)
    } catch (refused) {
      setError(refusalText(refusalOf(refused)))
    }
  }
  return (
    <form className="flex items-start gap-6 px-8 py-4 [&>button]:mt-3" onSubmit={save}>
      <TextField
        ref={field}
        className={styles.newName ?? ''}
        label={t('saved.newName', { name: one.name })}
        hideLabel
        value={typed}
        maxLength={LONGEST}
        {...(error === undefined ? {} : { error })}
        onChange={(next) => {
          setTyped(next)
          setError(undefined)
        }}
      />
      <Button small type="submit" variant="primary" disabled={name === ''}>
        {t('saved.save')}
      </Button>
      <Button small kbd="Esc" onClick={() => onDone(one.name)}>
        {t('saved.cancel')}
      </Button>
    </form>
  )
}
