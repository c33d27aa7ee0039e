import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { isLoopback } from '@/shared/formats/url.ts'
import { useSettings } from '@/shared/live/settings.ts'
import styles from './settings.module.css'

const MIB = 1024 * 1024
const FIELDS = ['host', 'port', 'bodyLimit', 'maxConnections', 'maxConnectionsPerAddress'] as const
type Field = (typeof FIELDS)[number]

export interface ReceiverFormProps {
  readonly settings: Settings
  /** Where it listens at present; null when it does not. */
  readonly url: string | null
}

/** Address and limits. Saved together by a button: moving the receiver interrupts listening for a moment. */
export function ReceiverForm({ settings, url }: ReceiverFormProps) {
  const { t } = useTranslation('settings')
  const update = useSettings((s) => s.update)
  const action = useAction()
  const { receiver } = settings
  const [host, setHost] = useState(receiver.host)
  const [port, setPort] = useState<number | null>(receiver.port)
  const [limit, setLimit] = useState<number | null>(receiver.bodyLimit / MIB)
  const [most, setMost] = useState<number | null>(receiver.maxConnections)
  const [mostOfOne, setMostOfOne] = useState<number | null>(receiver.maxConnectionsPerAddress)
  const reset = () => {
    setHost(receiver.host)
    setPort(receiver.port)
    setLimit(receiver.bodyLimit / MIB)
    setMost(receiver.maxConnections)
    setMostOfOne(receiver.maxConnectionsPerAddress)
    action.clear()
  }
  // What another window or the command line changed shows here too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the saved values count
  useEffect(reset, [
    receiver.host,
    receiver.port,
    receiver.bodyLimit,
    receiver.maxConnections,
    receiver.maxConnectionsPerAddress,
  ])

  const now = url === null ? null : URL.parse(url)
  const portNow = now === null ? null : Number(now.port || (now.protocol === 'https:' ? 443 : 80))
  // The command line chose another for this run, or what is saved holds from the next start on.
  const other = portNow !== null && portNow !== receiver.port && receiver.port !== 0 ? portNow : null
  const bytes = limit === null ? null : Math.round(limit * MIB)
  const given = {
    host: host.trim(),
    port,
    bodyLimit: bytes,
    maxConnections: most,
    maxConnectionsPerAddress: mostOfOne,
  }
  const changed = FIELDS.filter((field) => given[field] !== receiver[field])
  const wrong: Partial<Record<Field, string>> = {}
  if (host.trim() === '' || /[\s/]/.test(host.trim())) wrong.host = t('receiver.errors.host')
  if (port === null || port > 65_535) wrong.port = t('receiver.errors.port')
  if (bytes === null || bytes < 1_024 || bytes > 1024 * MIB) wrong.bodyLimit = t('receiver.errors.bodyLimit')
  if (most === null || most < 10 || most > 50_000) wrong.maxConnections = t('receiver.errors.maxConnections')
  if (mostOfOne === null || mostOfOne < 1 || mostOfOne > 50_000)
    wrong.maxConnectionsPerAddress = t('receiver.errors.maxConnectionsPerAddress')
  const path = String(action.refusal?.details?.path ?? '')
  const refused = FIELDS.find((field) => path === `receiver.${field}`)
  const errorOf = (field: Field) => wrong[field] ?? (refused === field ? t(`receiver.errors.${field}`) : null)
  const save = () => {
    if (Object.keys(wrong).length > 0) return
    const change = Object.fromEntries(changed.map((field) => [field, given[field]]))
    void action.run(() => update({ receiver: change }))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className={cx(styles.row, 'flex flex-wrap gap-x-12 gap-y-10')}>
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
      <div className={cx(styles.row, 'flex flex-wrap gap-x-12 gap-y-10 mt-10')}>
        <NumberField
          label={t('receiver.maxConnections')}
          value={most}
          onChange={setMost}
          error={errorOf('maxConnections')}
          hint={t('receiver.maxConnectionsHint')}
        />
        <NumberField
          label={t('receiver.maxConnectionsPerAddress')}
          value={mostOfOne}
          onChange={setMostOfOne}
          error={errorOf('maxConnectionsPerAddress')}
          hint={t('receiver.maxConnectionsPerAddressHint')}
        />
      </div>
      {isLoopback(host.trim()) || wrong.host ? null : (
        <div className="mt-10">
          <Banner tone="warning" inset>
            {t('receiver.exposed')}
          </Banner>
        </div>
      )}
      {refused ? null : <Refused refusal={action.refusal} />}
      <div className={cx(styles.buttons, 'flex gap-6 mt-12')} hidden={changed.length === 0}>
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
