import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { Banner } from '@/components/banner.tsx'
import { Button } from '@/components/button.tsx'
import { NumberField } from '@/components/number-field.tsx'
import { Refused } from '@/components/refused.tsx'
import { TextField } from '@/components/text-field.tsx'
import { useAction } from '@/components/use-action.ts'
import { useSettings } from '@/stores/settings.ts'
import { isLoopback } from './loopback.ts'
import styles from './settings.module.css'

const MIB = 1024 * 1024
type Field = 'host' | 'port' | 'bodyLimit'

export interface ReceiverFormProps {
  readonly settings: Settings
  /** Where it listens at present; null when it does not. */
  readonly url: string | null
}

/** Address and limit. Saved together by a button: moving the receiver interrupts listening for a moment. */
export function ReceiverForm({ settings, url }: ReceiverFormProps) {
  const { t } = useTranslation('settings')
  const update = useSettings((s) => s.update)
  const action = useAction()
  const { receiver } = settings
  const [host, setHost] = useState(receiver.host)
  const [port, setPort] = useState<number | null>(receiver.port)
  const [limit, setLimit] = useState<number | null>(receiver.bodyLimit / MIB)
  const reset = () => {
    setHost(receiver.host)
    setPort(receiver.port)
    setLimit(receiver.bodyLimit / MIB)
    action.clear()
  }
  // What another window or the command line changed shows here too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the saved values count
  useEffect(reset, [receiver.host, receiver.port, receiver.bodyLimit])

  const now = url === null ? null : URL.parse(url)
  const portNow = now === null ? null : Number(now.port || (now.protocol === 'https:' ? 443 : 80))
  // The command line chose another for this run, or what is saved holds from the next start on.
  const other = portNow !== null && portNow !== receiver.port && receiver.port !== 0 ? portNow : null
  const bytes = limit === null ? null : Math.round(limit * MIB)
  const dirty = host.trim() !== receiver.host || port !== receiver.port || bytes !== receiver.bodyLimit
  const wrong: Partial<Record<Field, string>> = {}
  if (host.trim() === '' || /[\s/]/.test(host.trim())) wrong.host = t('receiver.errors.host')
  if (port === null || port > 65_535) wrong.port = t('receiver.errors.port')
  if (bytes === null || bytes < 1_024 || bytes > 1024 * MIB) wrong.bodyLimit = t('receiver.errors.bodyLimit')
  const path = String(action.refusal?.details?.path ?? '')
  const refused = (['host', 'port', 'bodyLimit'] as const).find((field) => path === `receiver.${field}`)
  const errorOf = (field: Field) => wrong[field] ?? (refused === field ? t(`receiver.errors.${field}`) : null)
  const save = () => {
    if (Object.keys(wrong).length > 0) return
    const change: Params<'settings.update'> = {
      receiver: {
        ...(host.trim() === receiver.host ? {} : { host: host.trim() }),
        ...(port === null || port === receiver.port ? {} : { port }),
        ...(bytes === null || bytes === receiver.bodyLimit ? {} : { bodyLimit: bytes }),
      },
    }
    void action.run(() => update(change))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className={styles.row}>
        <TextField
          label={t('receiver.host')}
          mono
          className={styles.wide}
          value={host}
          onChange={setHost}
          error={errorOf('host')}
          hint={t('receiver.hostHint')}
        />
        <NumberField
          label={t('receiver.port')}
          value={port}
          onChange={setPort}
          error={errorOf('port')}
          hint={other === null ? t('receiver.portHint') : t('receiver.portNow', { port: other })}
        />
        <NumberField
          label={t('receiver.bodyLimit')}
          value={limit}
          decimals={3}
          unit="MiB"
          onChange={setLimit}
          error={errorOf('bodyLimit')}
          hint={t('receiver.bodyLimitHint')}
        />
      </div>
      {isLoopback(host.trim()) || wrong.host ? null : (
        <div className={styles.below}>
          <Banner tone="warning" inset>
            {t('receiver.exposed')}
          </Banner>
        </div>
      )}
      {refused ? null : <Refused refusal={action.refusal} />}
      <div className={styles.buttons} hidden={!dirty}>
        <Button type="submit" variant="primary" busy={action.busy}>
          {t('save')}
        </Button>
        <Button variant="quiet" onClick={reset}>
          {t('discard')}
        </Button>
      </div>
    </form>
  )
}
