import { useTranslation } from 'react-i18next'
import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type { CertificateInfo, ListenFailure } from '#contract/status.ts'
import { MAC } from '@/shared/actions/action.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Address } from '@/shared/components/copy-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { isLoopback } from '@/shared/formats/url.ts'
import type { Look } from '@/shared/forms/control.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { changeSettings, keepSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { receiverForm, tlsForm } from './forms.ts'
import { type HostParts, InlineForm, Section, TEXT } from './section.tsx'

const LAMP = { listening: 'bg-valid', starting: 'bg-warning', failed: 'bg-invalid', off: 'bg-fg-3' } as const

export function ReceiverSection({ settings, status }: HostParts) {
  const { t } = useTranslation(['settings', 'shell'])
  const receive = useStatus((s) => s.receive)
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? false)
  const action = useAction()
  const { receiver, following } = status
  const start = (port?: number) =>
    void action.run(async () => receive(await api.call('receiver.start', port === undefined ? {} : { port })))
  const stop = () => void action.run(async () => receive(await api.call('receiver.stop', {})))
  const running = receiver.state === 'listening'
  return (
    <Section name="receiver" title={t('receiver.title')} text={t('receiver.text')}>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-6 text-m [&_b]:font-medium">
        <span
          className={`rounded-[50%] forced-color-adjust-none size-8 ${LAMP[receiver.state]}`}
          aria-hidden="true"
        />
        <b>{t(`shell:receiver.${receiver.state}`)}</b>
        {running ? <Address text={receiver.url} label={t('shell:receiver.copyUrl')} /> : null}
        <span className="flex-1" />
        {/* A follower receives nothing. */}
        {following ? null : (
          <Button onClick={() => useConnect.getState().open()}>{t('receiver.connect')}</Button>
        )}
        {following ? null : running ? (
          <Button busy={action.busy} onClick={stop}>
            {t('receiver.stop')}
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={action.busy || receiver.state === 'starting'}
            onClick={() => start()}
          >
            {t('receiver.start')}
          </Button>
        )}
      </div>
      {receiver.state === 'failed' ? <Failure failure={receiver.failure} onUse={start} /> : null}
      <Refused refusal={action.refusal} />
      <ReceiverForm receiver={settings.receiver} url={running ? receiver.url : null} />
      <TlsForm tls={settings.receiver.tls} info={running ? (receiver.tls ?? null) : null} />
      {native ? (
        <Switch
          label={t('receiver.keep')}
          hint={t(MAC ? 'receiver.keepHintMac' : 'receiver.keepHint')}
          checked={settings.desktop.keepReceiving ?? MAC}
          onChange={(keepReceiving) =>
            void action.run(() => changeSettings('settings.update', { desktop: { keepReceiving } }))
          }
        />
      ) : null}
    </Section>
  )
}

function Failure(props: { readonly failure: ListenFailure; readonly onUse: (port: number) => void }) {
  const { t } = useTranslation('incident')
  const { code, host, port, message, nextFreePort } = props.failure
  return (
    <Banner
      tone="error"
      inset
      actions={
        nextFreePort === null ? null : (
          <Button small onClick={() => props.onUse(nextFreePort)}>
            {t('listen.usePort', { port: nextFreePort })}
          </Button>
        )
      }
    >
      {t(`listen.${code}`, { host, port, message })}
    </Banner>
  )
}

interface ReceiverFormProps {
  readonly receiver: Settings['receiver']
  readonly url: string | null
}

/** Address and limits. A button saves them together, because a change interrupts listening briefly. */
function ReceiverForm({ receiver, url }: ReceiverFormProps) {
  const { t } = useTranslation('settings')
  const now = url === null ? null : URL.parse(url)
  const portNow = now === null ? null : Number(now.port || (now.protocol === 'https:' ? 443 : 80))
  // The command line set another port for this run, or the saved one applies from the next start on.
  const other = portNow !== null && portNow !== receiver.port && receiver.port !== 0 ? portNow : null
  const form = useForm({
    form: () => receiverForm(receiver),
    texts: ['settings', 'receiver'],
    look: () => ({
      'receiver.host': { wide: true },
      'receiver.port': other === null ? {} : { hint: t('receiver.portNow', { port: other }) },
      'receiver.bodyLimit': { decimals: 3, unit: 'MiB' },
    }),
    onSaved: keepSettings,
    follow: true,
  })
  return (
    <InlineForm form={form}>
      {form.fields(
        ['receiver.host', 'receiver.port', 'receiver.bodyLimit'],
        ['receiver.maxConnections', 'receiver.maxConnectionsPerAddress'],
      )}
      {isLoopback(form.draft.receiver.host.trim()) || form.errorOf('receiver.host') ? null : (
        <Banner tone="warning" inset>
          {t('receiver.exposed')}
        </Banner>
      )}
    </InlineForm>
  )
}

interface TlsFormProps {
  readonly tls: ReceiverTls | null
  readonly info: CertificateInfo | null
}

/** HTTPS and its certificate. A button saves them, because a change interrupts listening briefly. */
function TlsForm({ tls, info }: TlsFormProps) {
  const { t } = useTranslation('settings')
  const language = useLanguage()
  const form = useForm({
    form: () => tlsForm(tls),
    texts: ['settings', 'tls'],
    look: (): Partial<Record<'certificate' | 'key', Look>> => ({
      certificate: file('certificate'),
      key: file('key'),
    }),
    onSaved: keepSettings,
    follow: true,
  })
  const file = (name: 'certificate' | 'key'): Look => {
    const said = form.action.refusal?.message
    const error = form.errorOf(name)
    // The host's sentence names the exact problem of a file, in English only.
    const why = said && language === 'en' ? said : `${error} (${said})`
    return { wide: true, error: error && said ? why : error }
  }
  const { mode } = form.draft
  return (
    <InlineForm form={form}>
      {form.fields('mode')}
      {mode === 'files' ? form.fields(['certificate', 'key']) : null}
      {mode === 'generated' ? <p className={TEXT}>{t('tls.generatedHint')}</p> : null}
      {info && !form.changed ? <Certificate info={info} /> : null}
    </InlineForm>
  )
}

function Certificate({ info }: { readonly info: CertificateInfo }) {
  const { t } = useTranslation('settings')
  const over = info.validTo < Date.now()
  const until = t(over ? 'tls.expired' : 'tls.until', { day: info.validTo * 1_000 })
  return (
    <>
      {over ? (
        <Banner tone="error" inset>
          {until}
        </Banner>
      ) : (
        <p className={TEXT}>{until}</p>
      )}
      <p className={TEXT}>
        {info.names.length === 0 ? t('tls.nameless') : t('tls.names', { names: info.names.join(', ') })}
      </p>
      <p className={TEXT}>
        {t('tls.fingerprint')} <Address text={info.fingerprint} label={t('tls.copyFingerprint')} />
      </p>
    </>
  )
}
