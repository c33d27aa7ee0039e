import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReconciliationSummary, ReportFile, ReportParams } from '#contract/reconcile.ts'
import { MOST_LISTED, REPORT_FORMATS, REPORT_LANGUAGES } from '#contract/values.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { saveText } from '@/shared/platform/save.ts'

export interface ReportDialogProps {
  readonly summary: ReconciliationSummary
  readonly onClose: () => void
}

const PARTS = ['scope', 'counts', 'documents', 'limits'] as const

/** Previews the contents and masking of a sweep's report, creates it, and saves it as a file. */
export function ReportDialog({ summary, onClose }: ReportDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const action = useAction()
  const [format, setFormat] = useState<ReportParams['format']>('html')
  const [language, setLanguage] = useState<ReportParams['language']>(useLanguage())
  const [covered, setCovered] = useState(true)
  const [made, setMade] = useState<Omit<ReportFile, 'text'> | null>(null)
  const { sweep, counts } = summary
  const { matched, ...others } = counts
  const count = Object.values(others).reduce((sum, one) => sum + one, 0)
  // Closing the dialog cancels the report in progress.
  const wanted = useRef(true)
  useEffect(() => {
    wanted.current = true
    return () => {
      wanted.current = false
    }
  }, [])
  const save = () =>
    void action.run(async () => {
      setMade(null)
      const asked = { sweep: sweep.id, format, language, unmask: !covered }
      const { text, ...file } = await api.call('reconciliation.report', asked)
      if (!wanted.current) return
      saveText(file.name, file.mediaType, text)
      setMade(file)
    })
  return (
    <Dialog
      onClose={onClose}
      width={600}
      title={t('report.title')}
      description={t('report.text', { id: sweep.id })}
      footer={
        <>
          <Button onClick={onClose}>{t(made ? 'common:close' : 'common:cancel')}</Button>
          <Button variant="primary" icon={<Download />} busy={action.busy} onClick={save}>
            {t('report.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-14">
        <Refused refusal={action.refusal} />
        <div className="grid justify-items-start">
          <h3 className="mb-4 heading-s">{t('report.format')}</h3>
          <SegmentedControl
            label={t('report.format')}
            value={format}
            onChange={setFormat}
            segments={REPORT_FORMATS.map((value) => ({ value, label: t(`report.formats.${value}`) }))}
          />
          <p className="mt-6 text-fg-2 text-s leading-[1.45]">{t(`report.formatHint.${format}`)}</p>
        </div>
        <div className="grid justify-items-start">
          <h3 className="mb-4 heading-s">{t('report.language')}</h3>
          <SegmentedControl
            label={t('report.language')}
            value={language}
            onChange={setLanguage}
            segments={REPORT_LANGUAGES.map((value) => ({ value, label: t(`report.languages.${value}`) }))}
          />
        </div>
        <Checkbox
          label={t('report.cover')}
          hint={t(covered ? 'report.coverHint' : 'report.openHint')}
          checked={covered}
          onChange={setCovered}
        />
        <div>
          <h3 className="mb-4 heading-s">{t('report.holds')}</h3>
          <ul className="grid gap-3 pl-16 text-fg-2 text-s leading-[1.5] list-disc">
            {(format === 'csv' ? (['documents'] as const) : PARTS).map((part) => (
              <li key={part}>{t(`report.parts.${part}`, { count })}</li>
            ))}
          </ul>
        </div>
        {count > MOST_LISTED ? (
          <Banner tone="warning" inset>
            {t('report.most', { most: MOST_LISTED, count: count - MOST_LISTED })}
          </Banner>
        ) : null}
        <div role="status">
          {action.busy ? (
            <p className="text-fg-2 text-s leading-[1.45]">{t('report.making', { count })}</p>
          ) : null}
          {made ? (
            <Banner tone="info" inset title={t('report.made', { name: made.name })}>
              {t('report.listed', { count: made.listed })}
            </Banner>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}
