import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTag, TAG_LENGTH, tagOf } from '#contract/tags.ts'
import { cx } from '@/shared/components/cx.ts'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'

const BUTTON =
  'inline-grid place-items-center min-w-18 h-18 p-0 border-0 rounded-9 bg-transparent text-fg-3 hover:bg-hover hover:text-fg'

export interface Chip {
  readonly tag: string
  /** How many of the selected deliveries have the tag, when not all do. */
  readonly part?: string
}

export interface TagChipsProps {
  readonly chips: readonly Chip[]
  readonly onRemove: (tag: string) => void
  /** Adds a tag to all selected deliveries when only some have it. */
  readonly onAll?: (tag: string) => void
}

export function TagChips({ chips, onRemove, onAll }: TagChipsProps) {
  const { t } = useTranslation('detail')
  return chips.map(({ tag, part }) => (
    <span
      key={tag}
      className={cx(
        'inline-flex items-center gap-2 max-w-full h-20 pr-1 pl-7 border border-line-strong rounded-10',
        'bg-sunken text-fg line-s wrap-anywhere',
        '[&_svg]:size-11',
      )}
    >
      {tag}
      {part === undefined ? null : <span className="ps-4 text-fg-3 tabular-nums">{part}</span>}
      {part === undefined || !onAll ? null : (
        <button
          type="button"
          className={BUTTON}
          aria-label={t('annotations.tagAll', { tag })}
          title={t('annotations.tagAll', { tag })}
          onClick={() => onAll(tag)}
        >
          <Plus aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className={BUTTON}
        aria-label={t('annotations.removeTag', { tag })}
        title={t('annotations.removeTag', { tag })}
        onClick={() => onRemove(tag)}
      >
        <X aria-hidden="true" />
      </button>
    </span>
  ))
}

export interface TagInputProps {
  readonly onAdd: (tag: string) => void
  readonly onLeave?: () => void
  readonly refused?: string | null
  readonly begin?: boolean
}

/** Input for single tags; Enter, a space or a comma ends each. Suggests existing tags. */
export function TagInput({ onAdd, onLeave, refused = null, begin = false }: TagInputProps) {
  const { t } = useTranslation('detail')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  // Without suggestions the user can still type a tag.
  const { data: known } = useAnswer('tags', () => api.call('tags.list', {}))
  const list = useId()
  const add = () => {
    const tag = tagOf(typed)
    if (tag === '') return
    if (!isTag(tag)) return setWrong(t('annotations.notATag', { most: TAG_LENGTH }))
    setTyped('')
    setWrong(null)
    onAdd(tag)
  }
  return (
    <>
      <TextField
        label={t('annotations.addTag')}
        hideLabel
        placeholder={t('annotations.addTag')}
        list={list}
        autoFocus={begin}
        value={typed}
        error={wrong ?? refused}
        onChange={(text) => {
          setTyped(text)
          setWrong(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ',' || event.key === ' ') {
            if (event.key !== 'Enter' || tagOf(typed) !== '') event.preventDefault()
            add()
          } else if (event.key === 'Escape' && onLeave) {
            event.stopPropagation()
            event.preventDefault()
            onLeave()
          }
        }}
      />
      <datalist id={list}>
        {known?.tags.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}
