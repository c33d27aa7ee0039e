import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ChecksTab } from '@/features/delivery/detail/checks-tab.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { VerdictMark } from '@/shared/components/verdict-mark.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useOver } from '@/shared/live/over.ts'
import styles from './file-check.module.css'
import type { FileAnalysis } from './file-check-protocol.ts'
import { MOST_BYTES, useFileCheck } from './use-file-check.ts'

function Judged({ file, analysis }: { readonly file: File; readonly analysis: FileAnalysis }) {
  const format = useFormat()
  const { t } = useTranslation('fileCheck')
  const { verdict, event, kind, number, documentId, findings, findingCount } = analysis
  return (
    <>
      <div className={styles.facts} role="status">
        <VerdictMark verdict={verdict} />
        <span className={styles.name}>
          <Captured text={file.name} most={120} />
        </span>
        <span>{format.bytes(file.size)}</span>
        {event === null ? <span>{t('noEvent')}</span> : <Captured text={event} mono most={80} />}
        {number === null && documentId === null ? null : <Captured text={number ?? documentId ?? ''} mono />}
      </div>
      <div className={styles.checks}>
        <ChecksTab detail={{ verdict, kind, findings: findingCount, findingList: findings }} />
      </div>
    </>
  )
}

/** A file judged as the body of a delivery would be. It is read in this window: nothing is sent and nothing kept. */
export function FileCheckDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('fileCheck')
  const format = useFormat()
  const picker = useRef<HTMLInputElement>(null)
  const { given, give } = useOver()
  const check = useFileCheck(given)
  const file = given?.file ?? null
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')} width={760}>
      <div className={styles.choose}>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('choose')}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            if (chosen) give({ file: chosen, others: 0 })
            // The same file may have changed on disk and be chosen once more.
            target.value = ''
          }}
        />
        <Button icon={<FileUp />} onClick={() => picker.current?.click()}>
          {given ? t('chooseOther') : t('choose')}
        </Button>
        <span className={styles.hint}>{t('drop', { most: format.bytes(MOST_BYTES) })}</span>
      </div>
      {given && given.others > 0 ? (
        <p className={styles.others}>{t('others', { count: given.others })}</p>
      ) : null}
      {check.state === 'reading' ? (
        <p className={styles.reading}>
          <Spinner label={t('reading')} />
        </p>
      ) : null}
      {check.state === 'refused' ? (
        <Banner tone="error">
          {check.because === 'large'
            ? t('refused.large', { size: format.bytes(file?.size ?? 0), most: format.bytes(MOST_BYTES) })
            : check.because === 'folder'
              ? t('refused.folder')
              : t('refused.unreadable', { reason: check.detail })}
        </Banner>
      ) : null}
      {check.state === 'done' && file ? <Judged file={file} analysis={check.analysis} /> : null}
    </Dialog>
  )
}
