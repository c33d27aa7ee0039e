import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#contract/errors.ts'
import { ChecksTab } from '@/features/delivery/detail/checks-tab.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { VerdictMark } from '@/shared/components/tag.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { type GivenFile, useOver } from '@/shared/live/layers.ts'
import { askOnce } from '@/shared/platform/worker.ts'
import type { FileAnalysis } from './file-check-worker.ts'

const checkFile = (file: File, signal: AbortSignal): Promise<FileAnalysis> =>
  askOnce(
    new Worker(new URL('./file-check-worker.ts', import.meta.url), { type: 'module', name: 'file-check' }),
    file,
    signal,
  )

const MOST_BYTES = 25 * 1024 * 1024

interface Refused {
  readonly state: 'refused'
  readonly because: 'folder' | 'large' | 'unreadable'
  readonly detail: string
}
type FileCheck =
  | { readonly state: 'none' | 'reading' }
  | Refused
  | { readonly state: 'done'; readonly analysis: FileAnalysis }

/** Reads and checks the given file; another file, or closing, cancels it. */
function useFileCheck(given: GivenFile | null): FileCheck {
  const [check, setCheck] = useState<FileCheck>({ state: given ? 'reading' : 'none' })
  useEffect(() => {
    if (!given) return setCheck({ state: 'none' })
    const refuse = (because: Refused['because'], detail = '') =>
      setCheck({ state: 'refused', because, detail })
    if (!given.file) return refuse('folder')
    if (given.file.size > MOST_BYTES) return refuse('large')
    setCheck({ state: 'reading' })
    const giveUp = new AbortController()
    checkFile(given.file, giveUp.signal).then(
      (analysis) => setCheck({ state: 'done', analysis }),
      (error: unknown) => {
        if (!giveUp.signal.aborted) refuse('unreadable', messageOf(error))
      },
    )
    return () => giveUp.abort()
  }, [given])
  return check
}

function Judged({ file, analysis }: { readonly file: File; readonly analysis: FileAnalysis }) {
  const { t, format } = useTexts('fileCheck')
  const { verdict, event, kind, number, documentId, findings, findingCount } = analysis
  return (
    <>
      <div
        className="flex flex-wrap items-center gap-x-14 gap-y-4 py-10 border-t border-line text-fg-2 text-s"
        role="status"
      >
        <VerdictMark verdict={verdict} />
        <span className="text-fg font-semibold wrap-anywhere">
          <Captured text={file.name} most={120} />
        </span>
        <span>{format.bytes(file.size)}</span>
        {event === null ? <span>{t('noEvent')}</span> : <Captured text={event} mono most={80} />}
        {number === null && documentId === null ? null : <Captured text={number ?? documentId ?? ''} mono />}
      </div>
      <div className="-mx-14">
        <ChecksTab detail={{ verdict, kind, findings: findingCount, findingList: findings }} />
      </div>
    </>
  )
}

/** Checks a file like the body of a delivery. The window reads it; Acuse sends and stores nothing. */
export function FileCheckDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts('fileCheck')
  const picker = useRef<HTMLInputElement>(null)
  const { given, give } = useOver()
  const check = useFileCheck(given)
  const file = given?.file ?? null
  return (
    <Dialog onClose={onClose} title={t('title')} description={t('lead')} width={760}>
      <div className="flex flex-wrap items-center gap-x-12 gap-y-6 pb-10">
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('choose')}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            if (chosen) give({ file: chosen, others: 0 })
            // Allows selecting the same file again, which may have changed on disk.
            target.value = ''
          }}
        />
        <Button icon={<FileUp />} onClick={() => picker.current?.click()}>
          {given ? t('chooseOther') : t('choose')}
        </Button>
        <span className="text-fg-3 text-s">{t('drop', { most: MOST_BYTES })}</span>
      </div>
      {given && given.others > 0 ? (
        <p className="text-s pb-10 text-fg-2">{t('others', { count: given.others })}</p>
      ) : null}
      {check.state === 'reading' ? (
        <p className="my-12">
          <Spinner label={t('reading')} />
        </p>
      ) : null}
      {check.state === 'refused' ? (
        <Banner tone="error">
          {check.because === 'large'
            ? t('refused.large', { size: file?.size ?? 0, most: MOST_BYTES })
            : check.because === 'folder'
              ? t('refused.folder')
              : t('refused.unreadable', { reason: check.detail })}
        </Banner>
      ) : null}
      {check.state === 'done' && file ? <Judged file={file} analysis={check.analysis} /> : null}
    </Dialog>
  )
}
