import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTag, TAG_LENGTH, tagOf } from '#contract/tags.ts'
import { TextField } from '@/shared/components/text-field.tsx'
import { api } from '@/shared/live/api.ts'

export interface TagInputProps {
  readonly onAdd: (tag: string) => void
  readonly onLeave?: () => void
  /** What the host said of the last one. */
  readonly refused?: string | null
  readonly begin?: boolean
}

/** Takes tags one by one: Enter, a space or a comma ends each. Those that there are already are offered. */
export function TagInput({ onAdd, onLeave, refused = null, begin = false }: TagInputProps) {
  const { t } = useTranslation('detail')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [known, setKnown] = useState<readonly string[]>([])
  const list = useId()
  useEffect(() => {
    api.call('tags.list', {}).then(
      ({ tags }) => setKnown(tags.map(({ tag }) => tag)),
      // Without what is known a tag can still be typed.
      () => undefined,
    )
  }, [])
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
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}
