import { CircleHelp, Download, FileText, RefreshCw, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DocumentClass } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useFormat } from '@/shared/i18n/format.ts'

export interface GridBarProps {
  /** Null until the first answer. */
  readonly total: number | null
  readonly classes: readonly DocumentClass[]
  readonly everything: boolean
  readonly text: string
  /** Number of matching documents in hidden classes. */
  readonly hidden: number
  /** Milliseconds since the epoch. */
  readonly asOf: number
  readonly renewing: boolean
  readonly onText: (text: string) => void
  readonly onEverything: (everything: boolean) => void
  readonly onAgain: () => void
  readonly onLimits: () => void
  readonly onReport: () => void
  readonly onExport: () => void
}

export function GridBar(props: GridBarProps) {
  const { total, classes, everything, text, hidden, asOf, renewing } = props
  const { onText, onEverything, onAgain, onLimits, onReport, onExport } = props
  const { t } = useTranslation(['reconcile', 'stream'])
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-10 gap-y-4 px-12 py-5 border-b border-line bg-panel">
      <TextField
        label={t('grid.find')}
        hideLabel
        type="search"
        className="w-260 max-[1100px]:w-230"
        leading={<Search aria-hidden="true" />}
        placeholder={t('grid.findHint')}
        value={text}
        onChange={onText}
      />
      <span className="text-fg-2 text-s tabular-nums whitespace-nowrap">
        {total === null ? '' : t('grid.count', { count: total })}
      </span>
      {hidden > 0 ? (
        <Button small onClick={() => onEverything(true)}>
          {t('grid.hidden', { count: hidden })}
        </Button>
      ) : null}
      {classes.length > 0 ? (
        <Button small variant="quiet" onClick={() => onEverything(true)}>
          {t('grid.all')}
        </Button>
      ) : (
        <Checkbox
          label={t('grid.differences')}
          checked={!everything}
          onChange={(only) => onEverything(!only)}
        />
      )}
      <span className="text-fg-3 text-xs max-[1100px]:hidden">{t('grid.keys')}</span>
      <span className="flex-1" />
      <span className="text-fg-2 text-s tabular-nums whitespace-nowrap" title={t('summary.asOfHint')}>
        {renewing
          ? t('summary.renewing')
          : t('summary.asOf', { when: format.clock(asOf * 1_000).slice(0, 8) })}
      </span>
      <IconButton small label={t('summary.again')} icon={<RefreshCw />} onClick={onAgain} />
      <Button small variant="quiet" icon={<CircleHelp />} onClick={onLimits}>
        {t('grid.limits')}
      </Button>
      <Button small icon={<Download />} onClick={onExport}>
        {t('stream:chosen.export')}
      </Button>
      <Button small icon={<FileText />} onClick={onReport}>
        {t('report.open')}
      </Button>
    </div>
  )
}

/** Explains what a comparison with the sync routes cannot detect. */
export function LimitsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['reconcile', 'common'])
  return (
    <Dialog
      onClose={onClose}
      title={t('limits.title')}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <ul className="grid text-fg-2 text-s leading-[1.5] gap-10 [&_li]:pl-14 [&_li]:border-l-2 [&_li]:border-line-strong">
        {(['superseded', 'kinds', 'treasury', 'updates', 'rules', 'dates', 'deleted'] as const).map(
          (limit) => (
            <li key={limit}>{t(`limits.${limit}`)}</li>
          ),
        )}
      </ul>
    </Dialog>
  )
}
