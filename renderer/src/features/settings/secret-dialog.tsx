import { Dices, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#contract/settings.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { secretForm } from './own-forms.ts'

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

/** The header that a delivery must carry. Values go to the host and never come back. */
export function SecretDialog({ endpoint, onClose }: SecretDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const { name, secret } = endpoint
  const [shown, setShown] = useState(false)
  const { action, change, draft, field, toggle, dialog } = useForm({
    form: () => secretForm(endpoint),
    texts: ['settings', 'secret'],
    send: async (params) => receive(await api.call('endpoints.set-secret', params)),
    onSaved: onClose,
  })
  const clear = (which: 'previous' | 'all') =>
    void action.run(async () => receive(await api.call('endpoints.clear-secret', { name, which })))
  return (
    <FormDialog
      title={t('secret.title', { name })}
      description={t('secret.text')}
      action={t(secret ? 'secret.rotate' : 'secret.set')}
      {...dialog}
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
      <TextField {...field('header')} mono />
      <TextField
        {...field('value')}
        mono
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
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
                change({ value: newSecret() })
                setShown(true)
              }}
            />
            <CopyButton small text={draft.value} label={t('secret.copy')} />
          </>
        }
      />
      <WeakSecrets />
      {secret ? <Checkbox {...toggle('keepPrevious')} /> : null}
    </FormDialog>
  )
}
