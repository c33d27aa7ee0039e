import { Dices, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { headerName } from '#contract/params.ts'
import type { Endpoint } from '#contract/settings.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'

const BYTES = 32

/** 256 random bits in characters that every header and form takes unchanged. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export interface SecretDialogProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/

/** The header that a delivery must carry. Values go to the host and never come back. */
export function SecretDialog({ endpoint, onClose }: SecretDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const action = useAction()
  const { name, secret } = endpoint
  const [header, setHeader] = useState(secret?.header ?? 'X-Webhook-Secret')
  const [value, setValue] = useState('')
  const [shown, setShown] = useState(false)
  const [keepPrevious, setKeepPrevious] = useState(secret !== null)
  const [tried, setTried] = useState(false)
  const path = String(action.refusal?.details?.path ?? '')
  const badHeader = !headerName.safeParse(header).success
  const badValue = !HEADER_VALUE.test(value)
  const inField = path === 'header' || path === 'value'
  const save = async () => {
    setTried(true)
    if (badHeader || badValue) return
    const params = { name, header, value, keepPrevious: keepPrevious && secret !== null }
    if (await action.run(async () => receive(await api.call('endpoints.set-secret', params)))) onClose()
  }
  const clear = (which: 'previous' | 'all') =>
    void action.run(async () => receive(await api.call('endpoints.clear-secret', { name, which })))
  return (
    <FormDialog
      title={t('secret.title', { name })}
      description={t('secret.text')}
      action={t(secret ? 'secret.rotate' : 'secret.set')}
      busy={action.busy}
      refusal={inField ? null : action.refusal}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {secret ? (
        <Banner
          tone="info"
          inset
          actions={
            <>
              {secret.values === 2 ? (
                <Button small onClick={() => clear('previous')}>
                  {t('secret.endRotation')}
                </Button>
              ) : null}
              <Button small variant="danger" onClick={() => clear('all')}>
                {t('secret.remove')}
              </Button>
            </>
          }
        >
          {t(secret.values === 2 ? 'secret.two' : 'secret.one', { header: secret.header })}
        </Banner>
      ) : null}
      <TextField
        label={t('secret.header')}
        mono
        value={header}
        onChange={setHeader}
        error={(tried && badHeader) || path === 'header' ? t('endpoints.errors.headerName') : null}
      />
      <TextField
        label={t('secret.value')}
        mono
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        value={value}
        onChange={setValue}
        error={
          (tried && badValue) || path === 'value'
            ? t(value === '' ? 'secret.valueMissing' : 'endpoints.errors.headerValue')
            : null
        }
        hint={t('secret.valueHint')}
        trailing={
          <>
            <IconButton
              small
              label={t(shown ? 'secret.hide' : 'secret.show')}
              icon={shown ? <EyeOff /> : <Eye />}
              onClick={() => setShown(!shown)}
            />
            <IconButton
              small
              label={t('secret.generate')}
              icon={<Dices />}
              onClick={() => {
                setValue(newSecret())
                setShown(true)
              }}
            />
            <CopyButton small text={value} label={t('secret.copy')} />
          </>
        }
      />
      <WeakSecrets />
      {secret ? (
        <Checkbox
          label={t('secret.keep')}
          hint={t('secret.keepHint')}
          checked={keepPrevious}
          onChange={setKeepPrevious}
        />
      ) : null}
    </FormDialog>
  )
}
