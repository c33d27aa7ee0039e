import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReceiverTls } from '#contract/settings.ts'
import type { CertificateInfo } from '#contract/status.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { useSettings } from '@/shared/live/settings.ts'
import styles from './settings.module.css'

const MODES = ['off', 'generated', 'files'] as const
type Mode = (typeof MODES)[number]

const modeOf = (tls: ReceiverTls | null): Mode =>
  tls === null ? 'off' : 'key' in tls ? 'files' : 'generated'
const filesOf = (tls: ReceiverTls | null) =>
  tls && 'key' in tls ? { certificate: tls.certificate, key: tls.key } : { certificate: '', key: '' }

export interface ReceiverTlsFormProps {
  readonly tls: ReceiverTls | null
  /** Of the certificate in use; null over plain HTTP. */
  readonly info: CertificateInfo | null
}

/** Whether the receiver speaks HTTPS, and with which certificate. Saved by a button: it interrupts listening for a moment. */
export function ReceiverTlsForm({ tls, info }: ReceiverTlsFormProps) {
  const { t } = useTranslation('settings')
  const language = useLanguage()
  const update = useSettings((s) => s.update)
  const action = useAction()
  const [mode, setMode] = useState<Mode>(modeOf(tls))
  const [files, setFiles] = useState(filesOf(tls))
  const saved = JSON.stringify(tls)
  const reset = () => {
    setMode(modeOf(tls))
    setFiles(filesOf(tls))
    action.clear()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the saved value counts
  useEffect(reset, [saved])
  const pair = { certificate: files.certificate.trim(), key: files.key.trim() }
  const wanted: ReceiverTls | null =
    mode === 'off' ? null : mode === 'generated' ? { certificate: 'generated' } : pair
  const complete = mode !== 'files' || (pair.certificate !== '' && pair.key !== '')
  const dirty = JSON.stringify(wanted) !== saved
  const path = String(action.refusal?.details?.path ?? '')
  const fieldOf = (field: 'certificate' | 'key') => {
    if (path !== `receiver.tls.${field}`) return null
    // The host's sentence says which of a dozen things is wrong with a file, and it is English.
    const said = action.refusal?.message ?? ''
    return language === 'en' ? said : `${t(`receiver.tls.errors.${field}`)} (${said})`
  }
  const shown = fieldOf('certificate') !== null || fieldOf('key') !== null
  return (
    <form
      noValidate
      className={cx(styles.form, 'grid grid-cols-1 gap-14')}
      onSubmit={(event) => {
        event.preventDefault()
        if (dirty && complete) void action.run(() => update({ receiver: { tls: wanted } }))
      }}
    >
      <div className={cx(styles.choice, 'flex flex-wrap items-center gap-x-12 gap-y-6')}>
        <span aria-hidden="true">{t('receiver.tls.label')}</span>
        <SegmentedControl<Mode>
          label={t('receiver.tls.label')}
          value={mode}
          onChange={setMode}
          segments={MODES.map((value) => ({ value, label: t(`receiver.tls.${value}`) }))}
        />
      </div>
      {mode === 'files' ? (
        <div className={cx(styles.row, 'flex flex-wrap gap-x-12 gap-y-10')}>
          {(['certificate', 'key'] as const).map((field) => (
            <TextField
              key={field}
              label={t(`receiver.tls.${field}`)}
              mono
              className={styles.wide}
              value={files[field]}
              onChange={(value) => {
                setFiles({ ...files, [field]: value })
                action.clear()
              }}
              error={fieldOf(field)}
              hint={t(`receiver.tls.${field}Hint`)}
            />
          ))}
        </div>
      ) : null}
      {mode === 'generated' ? <p className={styles.text}>{t('receiver.tls.generatedHint')}</p> : null}
      {shown && mode === 'files' ? null : <Refused refusal={action.refusal} />}
      {info && !dirty ? <Certificate info={info} /> : null}
      <div className={cx(styles.buttons, 'flex gap-6 mt-12')} hidden={!dirty}>
        <Button type="submit" variant="primary" busy={action.busy} disabled={!complete}>
          {t('save')}
        </Button>
        <Button variant="quiet" onClick={reset}>
          {t('discard')}
        </Button>
      </div>
    </form>
  )
}

function Certificate({ info }: { readonly info: CertificateInfo }) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const over = info.validTo < Date.now()
  const until = t(over ? 'receiver.tls.expired' : 'receiver.tls.until', {
    day: format.day(info.validTo * 1000),
  })
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
        {info.names.length === 0
          ? t('receiver.tls.nameless')
          : t('receiver.tls.names', { names: info.names.join(', ') })}
      </p>
      <p className={styles.text}>
        {t('receiver.tls.fingerprint')}{' '}
        <span className={styles.url}>
          {info.fingerprint}
          <CopyButton small text={info.fingerprint} label={t('receiver.tls.copyFingerprint')} />
        </span>
      </p>
    </>
  )
}
