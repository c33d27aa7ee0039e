import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

export function Refused({ refusal }: { readonly refusal: Refusal | null }) {
  const refusalText = useRefusalText()
  if (!refusal) return null
  return (
    <div className="mt-10" data-refused>
      <Banner tone="error" inset>
        {refusalText(refusal)}
      </Banner>
    </div>
  )
}

export interface UnreadProps {
  readonly refusal: Refusal | null
  readonly title?: string
  readonly onRetry: () => void
}

/** Reports a failed read; earlier data may still be shown below. */
export function Unread({ refusal, onRetry, ...title }: UnreadProps) {
  const { t } = useTranslation()
  const refusalText = useRefusalText()
  if (!refusal) return null
  // The session of an attached window does not come back; the sentence says how to attach again.
  const retry =
    refusal.details?.why === 'session-ended' ? null : (
      <Button small onClick={onRetry}>
        {t('retry')}
      </Button>
    )
  return (
    <Banner tone="error" actions={retry} {...title}>
      {refusalText(refusal)}
    </Banner>
  )
}
