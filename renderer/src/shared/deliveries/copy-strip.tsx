import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Copying, useCopying } from '@/shared/live/layers.ts'
import { Strip } from './strip.tsx'

const TOLD_MS = 8_000

export function CopyStrip({ copying }: { readonly copying: Copying }) {
  const { t } = useTranslation('order')
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
    const { of } = copying
    if (copying.state === 'going') return t('copy.going', { count, of })
    const copied = t('copy.done', { count, as: t(`copy.as.${copying.as}`) })
    const more = count < of ? ` ${t('copy.bound', { of })}` : ''
    const secrets = copying.as === 'curl-secrets' ? ` ${t('copy.shown')}` : ''
    const masked = copying.as === 'text' || secrets !== '' ? '' : ` ${t('copy.masked')}`
    return copied + more + secrets + masked
  }
  return (
    <Strip
      progress={
        copying.state === 'going' ? { label: t('copy.progress'), value: copying.done, max: copying.of } : null
      }
    >
      <span role="status">{words()}</span>
      <Button small onClick={end}>
        {t(over ? 'copy.close' : 'copy.stop')}
      </Button>
    </Strip>
  )
}
