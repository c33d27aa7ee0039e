import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import type { JobOptions, JobPreview, ReplaySource } from '#contract/replay.ts'
import { useSpanText } from '@/features/replays/job-words.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import styles from './sheet.module.css'

const PAUSE_MS = 250
/** Between two answers of a host that still searches, so that the window draws them. */
const AGAIN_MS = 30

export interface Previewed {
  readonly preview: JobPreview | null
  readonly refusal: Refusal | null
  readonly busy: boolean
}

/**
 * What a job would send, asked again a moment after each change; the last answer stands meanwhile. While the host is still searching it is
 * asked on; it stops when the client stops asking.
 */
export function usePreview(source: ReplaySource | null, options: JobOptions | null): Previewed {
  const [shown, setShown] = useState<Previewed>({ preview: null, refusal: null, busy: false })
  const key = source && options ? JSON.stringify([source, options]) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for both
  useEffect(() => {
    if (!source || !options) return
    let current = true
    setShown((before) => ({ ...before, busy: true }))
    const ask = async () => {
      try {
        for (let whole = false; current && !whole; ) {
          const preview = await api.call('jobs.preview', { source, options })
          whole = !preview.searching
          if (current) setShown({ preview, refusal: null, busy: !whole })
          if (!whole) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        }
      } catch (error) {
        if (current) setShown({ preview: null, refusal: refusalOf(error), busy: false })
      }
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [key])
  return shown
}

export function Preview({ previewed }: { readonly previewed: Previewed }) {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const spanText = useSpanText()
  const refusalText = useRefusalText()
  const { preview, refusal, busy } = previewed
  if (refusal) {
    return (
      <Banner tone="error" inset>
        {refusalText(refusal)}
      </Banner>
    )
  }
  if (!preview)
    return <div className={styles.preview}>{busy ? <Spinner label={t('preview.busy')} /> : null}</div>
  const { count, excluded, bytes, oldest, newest, seconds, searching } = preview
  return (
    <div className={styles.preview} role="status" aria-busy={busy}>
      <p className="flex items-center gap-4 text-fg [&_b]:font-semibold">
        <b>{t('preview.count', { count })}</b>
        {count > 0 ? <span> · {format.bytes(bytes)}</span> : null}
        {busy && !searching ? <Spinner /> : null}
      </p>
      {searching ? (
        <>
          <Progress label={t('preview.progress')} value={searching.scanned} max={searching.of} />
          <p className="text-warning">
            {t('preview.searching', {
              scanned: format.number(searching.scanned),
              of: format.number(searching.of),
            })}
          </p>
        </>
      ) : null}
      {oldest !== null && newest !== null ? (
        <p>{t('preview.span', { from: format.moment(oldest), to: format.moment(newest) })}</p>
      ) : null}
      {count > 0 ? (
        <p>{seconds === null ? t('preview.asFast') : t('preview.atLeast', { span: spanText(seconds) })}</p>
      ) : null}
      {excluded.map(({ reason, count: left }) => (
        <p key={reason} className="text-warning">
          {t(`preview.excluded.${reason}`, { count: left })}
        </p>
      ))}
    </div>
  )
}
