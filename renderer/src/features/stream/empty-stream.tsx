import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { isLoopback } from '@/shared/formats/loopback.ts'
import { useConnect } from '@/shared/live/connect.ts'
import { startReceiver } from '@/shared/live/receiver.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { curlLine } from './curl-line.ts'
import styles from './empty-stream.module.css'
import { FirstEvent } from './first-event.tsx'
import { useSlots } from './slots.ts'

/** The shown line is at most this old: an older Timestamp would soon be judged late. */
const REFRESH_MS = 30_000

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Before the first delivery: where it will come from, and a way to send one right now. */
export function EmptyStream() {
  const { t } = useTranslation(['stream', 'common'])
  const { Checklist } = useSlots()
  const receiver = useStatus((s) => s.status?.receiver)
  const publicUrl = useSettings((s) => s.settings?.receiver.publicUrl ?? null)
  const endpoints = useSettings((s) => s.settings?.endpoints)
  const now = useNow()
  const url = receiver?.state === 'listening' ? receiver.url : null
  const given = publicUrl ?? url ?? ''
  const nearOnly = isLoopback(URL.parse(given)?.hostname ?? '')
  const secretHeader = endpoints?.find(({ path }) => path === '/')?.secret?.header ?? null
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <p className={styles.waiting}>
          <span className={url ? styles.pulse : styles.still} aria-hidden="true" />
          {t('empty.title')}
        </p>
        {url ? (
          <>
            <section>
              <p className={styles.lead}>{t(nearOnly ? 'empty.leadNear' : 'empty.lead')}</p>
              <div className={styles.url}>
                <code>{given}</code>
                <CopyButton text={given} label={t('empty.copyUrl')} variant="primary">
                  {t('common:copy')}
                </CopyButton>
              </div>
              <div className={styles.below}>
                {nearOnly ? <span>{t('empty.near')}</span> : null}
                <Button small onClick={() => useConnect.getState().open()}>
                  {t(nearOnly ? 'empty.connectNear' : 'empty.connect')}
                </Button>
              </div>
            </section>
            <FirstEvent url={url} />
            <section>
              <p className={styles.lead}>{t('empty.try')}</p>
              <div className={styles.command}>
                <pre>{curlLine({ url, secretHeader, now })}</pre>
                <CopyButton
                  text={() => curlLine({ url, secretHeader, now: new Date() })}
                  label={t('empty.copyCurl')}
                />
              </div>
              {secretHeader === null ? null : (
                <p className={styles.note}>{t('empty.secret', { header: secretHeader })}</p>
              )}
            </section>
          </>
        ) : (
          <section>
            <p className={styles.lead}>{t('empty.off')}</p>
            {receiver?.state === 'off' ? (
              <Button variant="primary" onClick={() => startReceiver({})}>
                {t('empty.start')}
              </Button>
            ) : null}
          </section>
        )}
        <Suspense fallback={null}>
          <Checklist heading="h2" />
        </Suspense>
      </div>
    </div>
  )
}
