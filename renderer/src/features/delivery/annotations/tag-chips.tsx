import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import styles from './annotations.module.css'

export interface Chip {
  readonly tag: string
  /** Not all that are meant have it: how many do. */
  readonly part?: string
}

export interface TagChipsProps {
  readonly chips: readonly Chip[]
  readonly onRemove: (tag: string) => void
  /** Gives a tag that some have to all of them. */
  readonly onAll?: (tag: string) => void
}

/** Tags with a way to take each of them off. */
export function TagChips({ chips, onRemove, onAll }: TagChipsProps) {
  const { t } = useTranslation('detail')
  return chips.map(({ tag, part }) => (
    <span
      key={tag}
      className={cx(
        styles.chip,
        'inline-flex items-center gap-2 max-w-full h-20 pr-1 pl-7 border border-line-strong rounded-10 bg-sunken text-fg line-s wrap-anywhere [&_svg]:size-11',
      )}
    >
      {tag}
      {part === undefined ? null : <span className="ps-4 text-fg-3 tabular-nums">{part}</span>}
      {part === undefined || !onAll ? null : (
        <button
          type="button"
          aria-label={t('annotations.tagAll', { tag })}
          title={t('annotations.tagAll', { tag })}
          onClick={() => onAll(tag)}
        >
          <Plus aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        aria-label={t('annotations.removeTag', { tag })}
        title={t('annotations.removeTag', { tag })}
        onClick={() => onRemove(tag)}
      >
        <X aria-hidden="true" />
      </button>
    </span>
  ))
}
