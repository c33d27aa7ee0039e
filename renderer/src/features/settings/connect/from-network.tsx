import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReceiverState } from '#contract/status.ts'
import { networkUrls } from '#core/connect/reach.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useConnect } from '@/shared/live/connect.ts'
import { startReceiver } from '@/shared/live/receiver.ts'
import { AddressLine } from './address-line.tsx'
import styles from './connect.module.css'
import { SelfTest } from './self-test.tsx'

type Listening = Extract<ReceiverState, { state: 'listening' }>

/** Addresses for machines of the same network, where the receiver listens on them; else the way to it, with what it means. */
export function FromNetwork({ receiver }: { readonly receiver: Listening }) {
  const { t } = useTranslation('connect')
  const addresses = useConnect((s) => s.state?.addresses ?? null)
  const [chosen, setChosen] = useState<string | null>(null)
  if (addresses === null) return null
  const urls = networkUrls(receiver, addresses)
  const url = urls.find((one) => one === chosen) ?? urls[0]
  if (url === undefined)
    return (
      <>
        <p className={styles.text}>{t('network.closed', { host: receiver.host })}</p>
        <Banner
          tone="warning"
          inset
          actions={
            <Button small onClick={() => startReceiver({ host: '0.0.0.0' })}>
              {t('network.listen')}
            </Button>
          }
        >
          {t('network.warning')}
        </Banner>
      </>
    )
  return (
    <>
      <p className={styles.text}>{t('network.text')}</p>
      {urls.map((one) => (
        <AddressLine key={one} url={one} />
      ))}
      {url.startsWith('http:') ? (
        <Banner tone="warning" inset>
          {t('plain')}
        </Banner>
      ) : null}
      {urls.length > 1 ? (
        <div className={styles.choice}>
          <span aria-hidden="true">{t('network.which')}</span>
          <SegmentedControl<string>
            label={t('network.which')}
            value={url}
            onChange={setChosen}
            segments={urls.map((value) => ({ value, label: new URL(value).host }))}
          />
        </div>
      ) : null}
      <SelfTest key={url} url={url} />
    </>
  )
}
