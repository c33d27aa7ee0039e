import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Notice, TOLD_MS } from '@/shared/components/notice.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Copying, useCopying } from '@/shared/live/layers.ts'

export function CopyNotice({ copying }: { readonly copying: Copying }) {
  const { t } = useTranslation('order')
  const refusalText = useRefusalText()
  const { end } = useCopying()
  const over = copying.state !== 'going'
  const words = () => {
    if (copying.state === 'failed')
      return copying.refusal ? refusalText(copying.refusal) : t('copy.noClipboard')
    if (copying.state === 'copied')
      return (
        <>
          {t('copy.value')} <Captured text={copying.text.replaceAll(/\s+/g, ' ')} mono most={120} />
        </>
      )
    const count = copying.state === 'going' ? copying.done : copying.count
    const { of } = copying
    if (copying.state === 'going') return t('copy.going', { count, of })
    const copied = t('copy.done', { count, as: t(`copy.as.${copying.as}`) })
    const more = count < of ? ` ${t('copy.bound', { of })}` : ''
    const secrets = copying.as === 'curl-secrets' ? ` ${t('copy.shown')}` : ''
    const masked = copying.as === 'text' || secrets !== '' ? '' : ` ${t('copy.masked')}`
    const { tooLong } = copying
    const bodies = tooLong > 0 ? ` ${t('copy.tooLong', { count: tooLong, of: count })}` : ''
    return copied + more + bodies + secrets + masked
  }
  const failed = copying.state === 'failed'
  const partly = copying.state === 'done' && (copying.tooLong > 0 || copying.count < copying.of)
  return (
    <Notice
      tone={failed ? 'error' : partly ? 'warning' : over ? 'done' : 'info'}
      goesAfter={over && !failed && !partly ? TOLD_MS : undefined}
      about={copying}
      onDismiss={end}
      actions={
        over ? null : (
          <Button small onClick={end}>
            {t('copy.stop')}
          </Button>
        )
      }
    >
      {words()}
      {over ? null : (
        <div className="w-200">
          <Progress label={t('copy.progress')} value={copying.done} max={copying.of} />
        </div>
      )}
    </Notice>
  )
}
