import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentComparison, SyncRoute } from '#contract/reconcile.ts'
import { BodyBox } from '@/shared/attempts/body-box.tsx'
import { deliveryBody, givenBody } from '@/shared/body/open-body.ts'
import { Select } from '@/shared/components/select.tsx'
import styles from './document-pane.module.css'

export interface DocumentRawProps {
  readonly comparison: DocumentComparison
  readonly route: SyncRoute
}

/** UTF-8 of a text in base64, as bodies are handed over. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

/** Byte for byte what came, on both sides. */
export function DocumentRaw({ comparison, route }: DocumentRawProps) {
  const { t } = useTranslation('reconcile')
  const { deliveries, item, otherItem, row } = comparison
  const [chosen, setChosen] = useState(() =>
    String(deliveries.findLast(({ kind }) => kind !== null)?.id ?? ''),
  )
  const delivery = deliveries.find(({ id }) => String(id) === chosen) ?? deliveries.at(-1)
  const other: SyncRoute = route === 'accounting' ? 'treasury' : 'accounting'
  return (
    <div className={styles.raw}>
      <section aria-label={t('document.captured')}>
        {delivery ? (
          <>
            <Select
              label={t('document.captured')}
              hideLabel
              value={String(delivery.id)}
              onChange={setChosen}
              options={deliveries.map(({ id, event }) => ({
                value: String(id),
                label: `${t('document.rawCaptured', { id })}: ${event ?? '–'}`,
              }))}
            />
            <BodyBox source={deliveryBody(delivery.id, 'raw')} />
          </>
        ) : (
          <p className={styles.none}>{t('document.noLife')}</p>
        )}
      </section>
      <section aria-label={t('document.service')}>
        {item === null ? (
          <p className={styles.none}>{t('document.noItem')}</p>
        ) : (
          <>
            <h3>{t('document.rawService', { route: t(`form.routes.${route}`) })}</h3>
            <BodyBox source={givenBody(`item/${row.key}/${route}`, base64(item))} />
          </>
        )}
        {otherItem === null ? null : (
          <>
            <h3>{t('document.rawService', { route: t(`form.routes.${other}`) })}</h3>
            <BodyBox source={givenBody(`item/${row.key}/${other}`, base64(otherItem))} />
          </>
        )}
      </section>
    </div>
  )
}
