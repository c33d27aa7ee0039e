import { useTranslation } from 'react-i18next'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { isComplete, isOpen, MOST } from './open-body.ts'
import type { Whole } from './use-whole.ts'

export function PartialNotice({ whole }: { readonly whole: Whole }) {
  const { t } = useTranslation(['detail', 'common'])
  const { body, received, failure } = whole
  if (!isOpen(body) || isComplete(body)) return null
  const { total } = body
  if (received !== null) {
    return (
      <div
        className={cx(
          'grid grid-cols-[auto_minmax(40px,1fr)_auto] items-center gap-10 px-12 py-6 border-b border-line',
          'bg-noted-weak text-fg text-s tabular-nums',
        )}
      >
        <span>{t('partial.loading', { received, total })}</span>
        <Progress label={t('partial.label')} value={received} max={total} />
        <Button small onClick={whole.cancel}>
          {t('common:cancel')}
        </Button>
      </div>
    )
  }
  const over = body.summary.bytes >= MOST
  return (
    <Banner
      tone={failure ? 'error' : 'info'}
      actions={
        over ? null : (
          <Button small onClick={whole.load}>
            {t('partial.load', { total })}
          </Button>
        )
      }
    >
      {failure
        ? t('partial.failed', { reason: failure })
        : t(over ? 'partial.over' : 'partial.beginning', { shown: body.summary.bytes, total })}
    </Banner>
  )
}
