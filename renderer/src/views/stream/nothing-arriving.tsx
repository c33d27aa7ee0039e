import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import styles from './empty-stream.module.css'

/** Names and addresses that only this computer answers to. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

/** What to check when nothing comes, in the order of readings.md (Delivery): the service itself warns of nothing. */
export function NothingArriving({ url }: { readonly url: string | null }) {
  const { t } = useTranslation('stream')
  const reach =
    url === null
      ? null
      : isLoopback(url)
        ? t('check.reachLoopback')
        : url.startsWith('http:')
          ? t('check.reachHttp')
          : null
  return (
    <section className={styles.check}>
      <h2>{t('empty.nothing')}</h2>
      <p>{t('empty.nothingLead')}</p>
      <ol>
        <li>{t('check.plan', { plan: WEBHOOK_PLAN })}</li>
        <li>{t('check.active')}</li>
        <li>{t('check.kind')}</li>
        <li>
          {t('check.reach')}
          {reach ? <span className={styles.hint}>{reach}</span> : null}
        </li>
        <li>
          {t('check.receiver')}
          <span className={url ? styles.good : styles.bad}>
            {url ? <Check aria-hidden="true" /> : <X aria-hidden="true" />}
            {t(url ? 'check.receiverOn' : 'check.receiverOff')}
          </span>
        </li>
      </ol>
    </section>
  )
}
