import { EyeOff, StickyNote, Wrench, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentComparison, Sweep } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import type { Annotating } from './annotate-dialog.tsx'
import { CLASS_SIGNS } from './class-marks.ts'
import styles from './document-pane.module.css'
import { DocumentRaw } from './document-raw.tsx'
import { FieldTable, Findings, Life } from './document-sides.tsx'
import { useDocument } from './use-document.ts'

type View = 'fields' | 'raw'

export interface DocumentPaneProps {
  readonly sweep: Sweep
  readonly documentKey: string
  readonly beat: number
  readonly onClose: () => void
  readonly onRebuild: (key: string) => void
  readonly onAnnotate: (annotating: Annotating) => void
  readonly ref: RefObject<HTMLElement | null>
}

/** One document: its captured life at the left, the service's record beside it field by field, and what was found at the right. */
export function DocumentPane(props: DocumentPaneProps) {
  const { sweep, documentKey, beat, onClose, ref } = props
  const { t } = useTranslation(['reconcile', 'common'])
  const { comparison, event, refusal } = useDocument(sweep.id, documentKey, beat)
  const [view, setView] = useState<View>('fields')
  const press = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape' || pressed.defaultPrevented) return
    pressed.preventDefault()
    onClose()
  }
  const number = comparison?.row.number ?? comparison?.row.documentId ?? documentKey
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className={styles.pane}
      aria-label={t('document.label', { number })}
      onKeyDown={press}
    >
      <header className={styles.header}>
        <h2>
          <Captured text={number} mono most={80} />
        </h2>
        {comparison ? (
          <Tag>{`${CLASS_SIGNS[comparison.row.class]} ${t(`class.${comparison.row.class}`)}`}</Tag>
        ) : null}
        {comparison?.row.documentId ? (
          <code className={styles.id}>
            <Captured text={comparison.row.documentId} mono most={80} />
          </code>
        ) : null}
        <span className={styles.spacer} />
        <SegmentedControl<View>
          label={t('document.view')}
          value={view}
          onChange={setView}
          segments={(['fields', 'raw'] as const).map((value) => ({
            value,
            label: t(`document.views.${value}`),
          }))}
        />
        {comparison ? <Actions {...props} comparison={comparison} /> : null}
        <IconButton label={t('common:close')} icon={<X />} onClick={onClose} />
      </header>
      <Refused refusal={refusal} />
      {comparison ? (
        view === 'fields' ? (
          <div className={styles.columns}>
            <Life comparison={comparison} />
            <FieldTable comparison={comparison} event={event} route={sweep.range.route} />
            <Findings comparison={comparison} />
          </div>
        ) : (
          <DocumentRaw key={documentKey} comparison={comparison} route={sweep.range.route} />
        )
      ) : refusal ? null : (
        <div className={styles.waiting}>
          <Spinner label={t('common:loading')} />
        </div>
      )}
    </section>
  )
}

function Actions({
  comparison: { row },
  onRebuild,
  onAnnotate,
}: DocumentPaneProps & { readonly comparison: DocumentComparison }) {
  const { t } = useTranslation('reconcile')
  const number = row.number ?? row.key
  return (
    <>
      {row.missed.some(({ certainty }) => certainty === 'missed') ? (
        <Button small icon={<Wrench />} onClick={() => onRebuild(row.key)}>
          {t('document.rebuild')}
        </Button>
      ) : null}
      <Button
        small
        icon={<EyeOff />}
        onClick={() => onAnnotate({ what: 'ignored', keys: [row.key], present: row.ignored, number })}
      >
        {t(row.ignored === null ? 'document.ignore' : 'document.editIgnore')}
      </Button>
      <Button
        small
        icon={<StickyNote />}
        onClick={() => onAnnotate({ what: 'note', keys: [row.key], present: row.note, number })}
      >
        {t('document.note')}
      </Button>
    </>
  )
}
