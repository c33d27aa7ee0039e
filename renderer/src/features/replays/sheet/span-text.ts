import { useTranslation } from 'react-i18next'
import { useFormat } from '@/shared/i18n/format.ts'
import { spanParts } from './span-parts.ts'

/** @returns a length of time in words: `2 h 5 min`. The signs are those of the International System, alike in both languages. */
export function useSpanText(): (seconds: number) => string {
  const format = useFormat()
  const { t } = useTranslation('replays')
  return (seconds) =>
    seconds < 1
      ? t('preview.underSecond')
      : spanParts(seconds)
          .map(({ unit, value }) => `${format.number(value)} ${unit}`)
          .join(' ')
}
