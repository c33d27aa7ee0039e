import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus, ListenFailure } from '#contract/status.ts'
import { MAC } from '@/shared/actions/action.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { ReceiverForm } from './receiver-form.tsx'
import { ReceiverTlsForm } from './receiver-tls.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'

/** What programs do there when their last window is closed (see `keepReceiving` of the settings). */
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
      <ReceiverForm settings={settings} url={running ? receiver.url : null} />
      <ReceiverTlsForm
        tls={settings.receiver.tls}
        info={receiver.state === 'listening' ? (receiver.tls ?? null) : null}
      />
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

function Failure({
  failure,
  onUse,
}: {
  readonly failure: ListenFailure
  readonly onUse: (port: number) => void
}) {
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
