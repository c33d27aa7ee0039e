import { ExternalLink, GitCompare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DocumentStep } from '#contract/documents.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { GapTag, StepChanges, statusText } from '@/shared/documents/step-facts.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useCompare } from '@/shared/live/layers.ts'
import styles from './life-pane.module.css'

export interface LifeStepProps {
  readonly step: DocumentStep
  /** Delivery of the event before it that told something; null for the first. */
  readonly before: number | null
}

/** One event of a document's life: when, what, and what it changed. */
export function LifeStep({ step, before }: LifeStepProps) {
  const { t } = useTranslation(['documents', 'common'])
  const format = useFormat()
  const compare = useCompare((s) => s.open)
  const { row, instant, changed, gap } = step
  const apart = row.rejected || row.marks.includes('synthetic')
  return (
    <li className={cx(styles.step, 'relative pb-18 pl-22 [&_p]:m-0', apart && styles.apart)}>
      <span className="absolute top-3 left-0 grid place-items-center w-11 h-13 bg-panel" aria-hidden="true">
        <GroupDot group={row.group} />
      </span>
      <p className={cx(styles.stepHead, 'flex flex-wrap items-center gap-x-9 gap-y-3 [&_b]:font-medium')}>
        <b>
          <Captured text={row.event ?? '–'} most={80} />
        </b>
        <VerdictMark verdict={row.verdict} />
        {row.statusId === null ? null : (
          <span className="code-s tabular-nums [font-variant-ligatures:none] text-fg-2">
            {statusText(row.statusId)}
          </span>
        )}
        {row.marks
          .filter((mark) => mark !== 'pinned')
          .map((mark) => (
            <Tag key={mark} {...(mark === 'synthetic' ? { tone: 'synthetic' as const } : {})}>
              {t(`common:mark.${mark}`)}
            </Tag>
          ))}
        {row.rejected ? <Tag tone="invalid">{t('common:mark.rejected')}</Tag> : null}
        <GapTag gap={gap} />
      </p>
      <p className="flex flex-wrap gap-x-12 gap-y-0 text-fg-3 text-xs tabular-nums">
        <time
          dateTime={new Date(instant / 1_000).toISOString()}
          title={row.timestamp === null ? undefined : t('life.timestamp', { text: row.timestamp })}
        >
          {format.instant(instant)}
        </time>
        <span title={format.instant(row.receivedAt)}>
          {t('life.arrived', { when: format.clock(row.receivedAt) })}
        </span>
        <span>{row.answer === null ? t('life.unanswered') : t('life.answered', { status: row.answer })}</span>
        {row.attempts > 0 ? (
          <span>{t('life.attempts', { count: row.attempts, formatted: format.number(row.attempts) })}</span>
        ) : null}
      </p>
      <StepChanges changed={changed} />
      <p className="flex flex-wrap gap-2 -ml-8">
        <Button small variant="quiet" icon={<ExternalLink />} onClick={() => void openDelivery(row.id, null)}>
          {t('life.open', { id: row.id })}
        </Button>
        {before === null ? null : (
          <Button
            small
            variant="quiet"
            icon={<GitCompare />}
            onClick={() => compare({ left: before, right: row.id })}
          >
            {t('life.compare')}
          </Button>
        )}
      </p>
    </li>
  )
}
