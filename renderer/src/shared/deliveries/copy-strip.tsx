import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Copying, useCopying } from '@/shared/live/layers.ts'
import styles from './search-progress.module.css'

/** How long the result of a copy stays on screen. */
const TOLD_MS = 8_000

/** The progress of a copy, and its result. */
export function CopyStrip({ copying }: { readonly copying: Copying }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const refusalText = useRefusalText()
  const { end } = useCopying()
  const over = copying.state !== 'going'
  useEffect(() => {
    if (!over) return
    const timer = setTimeout(end, TOLD_MS)
    return () => clearTimeout(timer)
  }, [over, end])
  const words = () => {
    if (copying.state === 'failed')
      return copying.refusal ? refusalText(copying.refusal) : t('copy.noClipboard')
    const count = copying.state === 'going' ? copying.done : copying.count
    const of = format.number(copying.of)
    if (copying.state === 'going') return t('copy.going', { count, done: format.number(count), of })
    const copied = t('copy.done', { count, formatted: format.number(count), as: t(`copy.as.${copying.as}`) })
    const more = count < copying.of ? ` ${t('copy.bound', { of })}` : ''
    const secrets = copying.as === 'curl-secrets' ? ` ${t('copy.shown')}` : ''
    const masked = copying.as === 'text' || secrets !== '' ? '' : ` ${t('copy.masked')}`
    return copied + more + secrets + masked
  }
  return (
    <div className={styles.strip}>
      {copying.state === 'going' ? (
        <progress
          className={cx(styles.bar, 'w-120 h-4 appearance-none border-0 rounded-2 bg-line overflow-hidden')}
          aria-label={t('copy.progress')}
          max={copying.of}
          value={copying.done}
        />
      ) : null}
      <span role="status">{words()}</span>
      <Button small onClick={end}>
        {t(over ? 'copy.close' : 'copy.stop')}
      </Button>
    </div>
  )
}
