import { useTranslation } from 'react-i18next'
import type { JobOptions } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { type OptionsDraft, type OptionsField, wrongOptions } from './options-draft.ts'
import styles from './sheet.module.css'

export interface OptionsFormProps {
  readonly draft: OptionsDraft
  readonly onChange: (part: Partial<OptionsDraft>) => void
}

/** How a job goes about it: what is often changed in sight, the rest folded. */
export function OptionsForm({ draft, onChange }: OptionsFormProps) {
  const { t } = useTranslation('replays')
  const wrong = wrongOptions(draft)
  const error = (field: OptionsField) => (wrong.has(field) ? t(`options.errors.${field}`) : null)
  return (
    <div className="grid grid-cols-1 gap-12 w-full">
      <div
        className={cx(
          styles.choice,
          'flex flex-wrap items-center gap-x-10 gap-y-4 [&>span]:text-fg-2 [&>span]:label-s',
        )}
      >
        <span aria-hidden="true">{t('options.order')}</span>
        <SegmentedControl<JobOptions['order']>
          label={t('options.order')}
          value={draft.order}
          onChange={(order) => onChange({ order })}
          segments={[
            { value: 'arrival', label: t('options.arrival') },
            { value: 'document', label: t('options.document') },
          ]}
        />
        <p className={cx(styles.hint, 'text-fg-3 text-xs leading-[1.45]')}>
          {t(`options.orderHint.${draft.order}`)}
        </p>
      </div>
      <div className={cx(styles.fields, 'flex flex-wrap gap-x-12 gap-y-10 w-full')}>
        <NumberField
          label={t('options.concurrency')}
          value={draft.concurrency}
          min={1}
          max={256}
          onChange={(concurrency) => onChange({ concurrency })}
          error={error('concurrency')}
          hint={t('options.concurrencyHint')}
        />
        <NumberField
          label={t('options.rate')}
          unit={t('options.perSecond')}
          value={draft.rate}
          decimals={2}
          optional
          placeholder={t('options.noRate')}
          onChange={(rate) => onChange({ rate })}
          error={error('rate')}
          hint={t('options.rateHint')}
        />
        <NumberField
          label={t('options.stopAfter')}
          unit={t('options.failures')}
          value={draft.stopAfter}
          min={1}
          optional
          placeholder={t('options.never')}
          onChange={(stopAfter) => onChange({ stopAfter })}
          error={error('stopAfter')}
          hint={t('options.stopAfterHint')}
        />
      </div>
      <details className={styles.more}>
        <summary>{t('options.more')}</summary>
        <div className="grid grid-cols-1 gap-12 w-full pt-10 pb-2">
          <div
            className={cx(styles.gaps, 'grid grid-cols-[minmax(0,1fr)_220px] gap-x-16 gap-y-8 items-start')}
          >
            <Checkbox
              label={t('options.keepGaps')}
              hint={t('options.keepGapsHint')}
              checked={draft.keepGaps}
              onChange={(keepGaps) => onChange({ keepGaps })}
            />
            {draft.keepGaps ? (
              <NumberField
                label={t('options.gaps')}
                unit="×"
                decimals={2}
                value={draft.gaps}
                onChange={(gaps) => onChange({ gaps })}
                error={error('gaps')}
                hint={t('options.gapsHint')}
              />
            ) : null}
          </div>
          <div className={cx(styles.fields, 'flex flex-wrap gap-x-12 gap-y-10 w-full')}>
            <NumberField
              label={t('options.retries')}
              value={draft.retries}
              max={20}
              onChange={(retries) => onChange({ retries })}
              error={error('retries')}
              hint={t('options.retriesHint')}
            />
            <NumberField
              label={t('options.retryDelay')}
              unit="ms"
              value={draft.retryDelayMs}
              onChange={(retryDelayMs) => onChange({ retryDelayMs })}
              error={error('retryDelay')}
            />
            <TextField
              label={t('options.failureStatuses')}
              mono
              value={draft.failures}
              onChange={(failures) => onChange({ failures })}
              error={error('failures')}
              hint={t('options.failureStatusesHint')}
            />
          </div>
          <Checkbox
            label={t('options.includeRejected')}
            checked={draft.rejected}
            onChange={(rejected) => onChange({ rejected })}
          />
          <Checkbox
            label={t('options.includeReplays')}
            hint={t('options.includeReplaysHint')}
            checked={draft.replays}
            onChange={(replays) => onChange({ replays })}
          />
        </div>
      </details>
    </div>
  )
}
