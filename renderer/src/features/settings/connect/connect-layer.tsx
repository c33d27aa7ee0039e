import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReceiverState } from '#contract/status.ts'
import { addressProblem, networkUrls, TUNNELS, type Tunnel, tunnelCommand } from '#core/connect/reach.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useConnect } from '@/shared/live/layers.ts'
import { keepSettings, useSettings } from '@/shared/live/settings.ts'
import { startReceiver, useStatus } from '@/shared/live/status.ts'
import { TEXT } from '../section.tsx'
import { Checklist } from './checklist.tsx'
import { SelfTest } from './self-test.tsx'

type Listening = Extract<ReceiverState, { state: 'listening' }>

function AddressLine({ url }: { readonly url: string }) {
  const { t } = useTranslation(['connect', 'common'])
  return (
    <div className="flex items-center gap-12 pt-5 pr-5 pb-5 pl-12 border border-line-strong rounded-8 bg-panel">
      <code className="flex-1 min-w-0 wrap-anywhere select-text">{url}</code>
      <CopyButton text={url} label={t('copyUrl', { url })}>
        {t('common:copy')}
      </CopyButton>
    </div>
  )
}

interface FromOutsideProps {
  readonly receiver: Listening
  readonly publicUrl: string | null
}

/** The steps for a public address: tunnel, address, test. */
function FromOutside({ receiver, publicUrl }: FromOutsideProps) {
  const { t } = useTranslation('connect')
  const [tunnel, setTunnel] = useState<Tunnel>('cloudflared')
  return (
    <>
      <section className="grid gap-10 min-w-0 [&_h3]:text-fg [&_h3]:text-m [&_h3]:font-semibold">
        <h3>{t('outside.way')}</h3>
        <div className="flex flex-wrap items-center gap-x-12 gap-y-8 text-fg-2 text-s">
          <SegmentedControl<Tunnel>
            label={t('outside.way')}
            value={tunnel}
            onChange={setTunnel}
            segments={TUNNELS.map((value) => ({ value, label: value === 'ssh' ? 'ssh -R' : value }))}
          />
        </div>
        <Code text={tunnelCommand(tunnel, receiver)} copyLabel={t('outside.copyCommand')} wrap />
        <p className={TEXT}>{t(`outside.hint.${tunnel}`)}</p>
      </section>
      <PublicAddress publicUrl={publicUrl} />
    </>
  )
}

/** The address and its test, which is there for the saved address only. */
function PublicAddress({ publicUrl }: { readonly publicUrl: string | null }) {
  const { t } = useTranslation(['connect', 'common'])
  const { draft, draw, bind, action } = useForm({
    form: (): Form<'settings.update', { readonly publicUrl: string }> => ({
      command: 'settings.update',
      first: { publicUrl: publicUrl ?? '' },
      params: (typed) => ({ receiver: { publicUrl: typed.publicUrl.trim() || null } }),
      places: () => ({ 'receiver.publicUrl': ['publicUrl', 'invalid'] }),
      *own(typed) {
        const problem = typed.publicUrl.trim() === '' ? null : addressProblem(typed.publicUrl)
        if (problem === 'invalid' || problem === 'credentials') yield ['publicUrl', problem]
      },
    }),
    texts: ['connect', 'outside'],
    look: () => ({ publicUrl: { className: 'flex-1' } }),
    onSaved: keepSettings,
    follow: true,
  })
  const typed = draft.publicUrl.trim()
  const isSaved = typed === (publicUrl ?? '')
  const problem = typed === '' ? null : addressProblem(typed)
  return (
    <>
      <form {...bind} className="grid gap-10 min-w-0 [&_h3]:text-fg [&_h3]:text-m [&_h3]:font-semibold">
        <h3>{t('outside.address')}</h3>
        <div className="flex items-start gap-10 [&>button]:mt-19">
          {draw('publicUrl')}
          {isSaved ? (
            publicUrl !== null && (
              <CopyButton text={publicUrl} label={t('copyUrl', { url: publicUrl })}>
                {t('common:copy')}
              </CopyButton>
            )
          ) : (
            <Button type="submit" variant="primary" busy={action.busy}>
              {t('outside.save')}
            </Button>
          )}
        </div>
        {problem === 'loopback' || problem === 'plain' ? (
          <Banner tone="warning" inset>
            {t(problem)}
          </Banner>
        ) : null}
        <Refused refusal={action.refusal} />
      </form>
      {publicUrl !== null && isSaved ? <SelfTest url={publicUrl} /> : null}
    </>
  )
}

/** Addresses for machines of the same network; if the receiver does not listen there, how to change that and the consequences. */
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
        <p className={TEXT}>{t('network.closed', { host: receiver.host })}</p>
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
      <p className={TEXT}>{t('network.text')}</p>
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

/** Shows which address to give to the service, how to get one, and a test of it. */
export function ConnectLayer() {
  const { t } = useTranslation('connect')
  const { shown, close, refresh } = useConnect()
  useEffect(() => {
    if (shown) refresh()
  }, [shown, refresh])
  if (!shown) return null
  return (
    <Dialog onClose={close} title={t('title')} description={t('text')} width={720}>
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
        <p className={TEXT}>{t('off')}</p>
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
      {place === 'outside' ? <FromOutside receiver={receiver} publicUrl={publicUrl} /> : null}
      {place === 'network' ? <FromNetwork receiver={receiver} /> : null}
      {place === 'here' ? (
        <>
          <p className={TEXT}>{t('here.text')}</p>
          <AddressLine url={receiver.url} />
          <SelfTest url={receiver.url} />
        </>
      ) : null}
      <Checklist />
    </div>
  )
}
