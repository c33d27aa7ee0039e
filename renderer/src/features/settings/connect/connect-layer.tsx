import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReceiverState } from '#contract/status.ts'
import { networkUrls } from '#core/connect/reach.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useConnect } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { startReceiver, useStatus } from '@/shared/live/status.ts'
import { AddressLine } from './address-line.tsx'
import { Checklist } from './checklist.tsx'
import styles from './connect.module.css'
import { FromOutside } from './from-outside.tsx'
import { SelfTest } from './self-test.tsx'

type Listening = Extract<ReceiverState, { state: 'listening' }>

/** Addresses for machines of the same network, where the receiver listens on them; else the way to it, with what it means. */
function FromNetwork({ receiver }: { readonly receiver: Listening }) {
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
        <div className="flex flex-wrap items-center gap-x-12 gap-y-8 text-fg-2 text-s">
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

const PLACES = ['outside', 'network', 'here'] as const
type Place = (typeof PLACES)[number]

/** Which address to give to the service, how to make one, and the proof that it leads here. */
export function ConnectLayer() {
  const { t } = useTranslation('connect')
  const { shown, close, refresh } = useConnect()
  useEffect(() => {
    if (shown) refresh()
  }, [shown, refresh])
  return (
    <Dialog open={shown} onClose={close} title={t('title')} description={t('text')} width={720}>
      <Connect />
    </Dialog>
  )
}

function Connect() {
  const { t } = useTranslation('connect')
  const receiver = useStatus((s) => s.status?.receiver)
  const publicUrl = useSettings((s) => s.settings?.receiver.publicUrl ?? null)
  const [place, setPlace] = useState<Place>('outside')
  if (receiver?.state !== 'listening')
    return (
      <div className="grid min-w-0 gap-18">
        <p className={styles.text}>{t('off')}</p>
        {receiver?.state === 'off' ? (
          <div>
            <Button variant="primary" onClick={() => startReceiver({})}>
              {t('start')}
            </Button>
          </div>
        ) : null}
        <Checklist />
      </div>
    )
  return (
    <div className="grid min-w-0 gap-18">
      <div className="flex flex-wrap items-center gap-x-12 gap-y-8 text-fg-2 text-s">
        <span aria-hidden="true">{t('where')}</span>
        <SegmentedControl<Place>
          label={t('where')}
          value={place}
          onChange={setPlace}
          segments={PLACES.map((value) => ({ value, label: t(`place.${value}`) }))}
        />
      </div>
      {place === 'outside' ? <FromOutside key={publicUrl} receiver={receiver} publicUrl={publicUrl} /> : null}
      {place === 'network' ? <FromNetwork receiver={receiver} /> : null}
      {place === 'here' ? (
        <>
          <p className={styles.text}>{t('here.text')}</p>
          <AddressLine url={receiver.url} />
          <SelfTest url={receiver.url} />
        </>
      ) : null}
      <Checklist />
    </div>
  )
}
