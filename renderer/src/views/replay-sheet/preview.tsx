import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import type { JobOptions, JobPreview, ReplaySource } from '#contract/replay.ts'
import { Banner } from '@/components/banner.tsx'
import { Spinner } from '@/components/spinner.tsx'
import { useFormat } from '@/i18n/format.ts'
import { useRefusalText } from '@/i18n/refusals.ts'
import { api } from '@/live/api.ts'
import { refusalOf } from '@/platform/refusal-error.ts'
import styles from './sheet.module.css'
import { useSpanText } from './span-text.ts'

const PAUSE_MS = 250

export interface Previewed {
  readonly preview: JobPreview | null
  readonly refusal: Refusal | null
  readonly busy: boolean
}

/** What a job would send, asked again a moment after each change; the last answer stands meanwhile. */
export function usePreview(source: ReplaySource | null, options: JobOptions | null): Previewed {
  const [shown, setShown] = useState<Previewed>({ preview: null, refusal: null, busy: false })
  const key = source && options ? JSON.stringify([source, options]) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for both
  useEffect(() => {
    if (!source || !options) return
    let current = true
    setShown((before) => ({ ...before, busy: true }))
    const timer = setTimeout(() => {
      api.call('jobs.preview', { source, options }).then(
        (preview) => current && setShown({ preview, refusal: null, busy: false }),
        (error: unknown) => current && setShown({ preview: null, refusal: refusalOf(error), busy: false }),
      )
    }, PAUSE_MS)
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
  const { count, excluded, bytes, oldest, newest, seconds } = preview
  return (
    <div className={styles.preview} role="status" aria-busy={busy}>
      <p className={styles.count}>
        <b>{t('preview.count', { count })}</b>
        {count > 0 ? <span> · {format.bytes(bytes)}</span> : null}
        {busy ? <Spinner /> : null}
      </p>
      {oldest !== null && newest !== null ? (
        <p>{t('preview.span', { from: format.moment(oldest), to: format.moment(newest) })}</p>
      ) : null}
      {count > 0 ? (
        <p>{seconds === null ? t('preview.asFast') : t('preview.atLeast', { span: spanText(seconds) })}</p>
      ) : null}
      {excluded.map(({ reason, count: left }) => (
        <p key={reason} className={styles.excluded}>
          {t(`preview.excluded.${reason}`, { count: left })}
        </p>
      ))}
    </div>
  )
}
