import { useTranslation } from 'react-i18next'
import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type { CertificateInfo, HostStatus, ListenFailure } from '#contract/status.ts'
import { MAC } from '@/shared/actions/action.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { FormChoice, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { isLoopback } from '@/shared/formats/url.ts'
import { useForm } from '@/shared/forms/use-form.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { receiverForm, tlsForm } from './own-forms.ts'
import { InlineForm, Section } from './section.tsx'
import styles from './settings.module.css'

export interface ReceiverSectionProps {
  readonly settings: Settings
  readonly status: HostStatus
}

export function ReceiverSection({ settings, status }: ReceiverSectionProps) {
  const { t } = useTranslation(['settings', 'shell'])
  const receive = useStatus((s) => s.receive)
  const update = useSettings((s) => s.update)
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? false)
  const action = useAction()
  const { receiver } = status
  const start = (port?: number) =>
    void action.run(async () => receive(await api.call('receiver.start', port === undefined ? {} : { port })))
  const stop = () => void action.run(async () => receive(await api.call('receiver.stop', {})))
  const running = receiver.state === 'listening'
  return (
    <Section name="receiver" title={t('receiver.title')} text={t('receiver.text')}>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-6 text-m [&_b]:font-medium">
        <span className={cx(styles.lamp, styles[receiver.state])} aria-hidden="true" />
        <b>{t(`shell:receiver.${receiver.state}`)}</b>
        {running ? (
          <span className={styles.url}>
            {receiver.url}
            <CopyButton small text={receiver.url} label={t('shell:receiver.copyUrl')} />
          </span>
        ) : null}
        <span className="flex-1" />
        <Button onClick={() => useConnect.getState().open()}>{t('receiver.connect')}</Button>
        {running ? (
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
          onChange={(keepReceiving) => void action.run(() => update({ desktop: { keepReceiving } }))}
        />
      ) : null}
    </Section>
  )
}

interface FailureProps {
  readonly failure: ListenFailure
  readonly onUse: (port: number) => void
}

function Failure({ failure, onUse }: FailureProps) {
  const { t } = useTranslation(['settings', 'shell'])
  const { code, host, port, message, nextFreePort } = failure
  return (
    <Banner
      tone="error"
      inset
      actions={
        nextFreePort === null ? null : (
          <Button small onClick={() => onUse(nextFreePort)}>
            {t('shell:failed.usePort', { port: nextFreePort })}
          </Button>
        )
      }
    >
      {t(`shell:failed.${code}`, { host, port, message })}
    </Banner>
  )
}

interface ReceiverFormProps {
  readonly receiver: Settings['receiver']
  /** Where it listens at present; null when it does not. */
  readonly url: string | null
}

/** Address and limits. Saved together by a button: moving the receiver interrupts listening for a moment. */
function ReceiverForm({ receiver, url }: ReceiverFormProps) {
  const { t } = useTranslation('settings')
  const form = useForm({
    form: () => receiverForm(receiver),
    texts: ['settings', 'receiver'],
    send: useSettings((s) => s.update),
    follow: true,
  })
  const { draft, field } = form
  const now = url === null ? null : URL.parse(url)
  const portNow = now === null ? null : Number(now.port || (now.protocol === 'https:' ? 443 : 80))
  // The command line chose another for this run, or what is saved holds from the next start on.
  const other = portNow !== null && portNow !== receiver.port && receiver.port !== 0 ? portNow : null
  return (
    <InlineForm form={form}>
      <FormRow>
        <TextField {...field('host')} mono className={WIDE} />
        <NumberField
          {...field('port')}
          {...(other === null ? {} : { hint: t('receiver.portNow', { port: other }) })}
        />
        <NumberField {...field('bodyLimit')} decimals={3} unit="MiB" />
      </FormRow>
      <FormRow>
        <NumberField {...field('maxConnections')} />
        <NumberField {...field('maxConnectionsPerAddress')} />
      </FormRow>
      {isLoopback(draft.host.trim()) || form.errorOf('host') ? null : (
        <Banner tone="warning" inset>
          {t('receiver.exposed')}
        </Banner>
      )}
    </InlineForm>
  )
}

interface TlsFormProps {
  readonly tls: ReceiverTls | null
  /** Of the certificate in use; null over plain HTTP. */
  readonly info: CertificateInfo | null
}

/** Whether the receiver speaks HTTPS, and with which certificate. Saved by a button: it interrupts listening for a moment. */
function TlsForm({ tls, info }: TlsFormProps) {
  const { t } = useTranslation('settings')
  const language = useLanguage()
  const form = useForm({
    form: () => tlsForm(tls),
    texts: ['settings', 'tls'],
    send: useSettings((s) => s.update),
    follow: true,
  })
  const said = form.action.refusal?.message
  const file = (name: 'certificate' | 'key') => {
    const { error, ...common } = form.field(name)
    // The host's sentence says which of a dozen things is wrong with a file, and it is English.
    const why = said && language === 'en' ? said : `${error} (${said})`
    return <TextField {...common} error={error && said ? why : error} mono className={WIDE} />
  }
  return (
    <InlineForm form={form}>
      <FormChoice {...form.choice('mode', ['off', 'generated', 'files'])} />
      {form.draft.mode === 'files' ? (
        <FormRow>
          {file('certificate')}
          {file('key')}
        </FormRow>
      ) : null}
      {form.draft.mode === 'generated' ? <p className={styles.text}>{t('tls.generatedHint')}</p> : null}
      {info && !form.changed ? <Certificate info={info} /> : null}
    </InlineForm>
  )
}

function Certificate({ info }: { readonly info: CertificateInfo }) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const over = info.validTo < Date.now()
  const until = t(over ? 'tls.expired' : 'tls.until', { day: format.day(info.validTo * 1000) })
  return (
    <>
      {over ? (
        <Banner tone="error" inset>
          {until}
        </Banner>
      ) : (
        <p className={styles.text}>{until}</p>
      )}
      <p className={styles.text}>
        {info.names.length === 0 ? t('tls.nameless') : t('tls.names', { names: info.names.join(', ') })}
      </p>
      <p className={styles.text}>
        {t('tls.fingerprint')}{' '}
        <span className={styles.url}>
          {info.fingerprint}
          <CopyButton small text={info.fingerprint} label={t('tls.copyFingerprint')} />
        </span>
      </p>
    </>
  )
}
