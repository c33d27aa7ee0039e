import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Settings } from '#contract/settings.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { FormDialog, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { connectionForm } from './connection-form.ts'
import { Belongs, Comparing, Mapping, Secrets, Transport } from './connection-parts.tsx'

export interface ConnectionDialogProps {
  /** Null: a new one. */
  readonly connection: Connection | null
  readonly settings: Settings
  readonly onClose: () => void
}

/** An account of the service. Its secrets go to the host and never come back. */
export function ConnectionDialog({ connection, settings, onClose }: ConnectionDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const others = settings.connections.map(({ name }) => name).filter((name) => name !== connection?.name)
  const { draft, change, errorOf, dialog } = useForm({
    form: () => connectionForm(connection, others),
    say: (error) => t(`connections.errors.${error}`),
    send: async (params) => receive(await api.call('connections.save', params)),
    onSaved: onClose,
  })
  const part = { draft, change, errorOf, connection }
  return (
    <FormDialog
      width={680}
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      action={t('save')}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <TextField
          label={t('connections.name')}
          mono
          maxLength={60}
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errorOf('name')}
          hint={t('connections.nameHint')}
        />
        <TextField
          label={t('connections.baseUrl')}
          mono
          className={WIDE}
          placeholder="https://"
          value={draft.baseUrl}
          onChange={(baseUrl) => change({ baseUrl })}
          error={errorOf('baseUrl')}
          hint={t('connections.baseUrlHint')}
        />
      </FormRow>
      {addressProblem(draft.baseUrl) === 'plain' ? (
        <Banner tone="warning" inset>
          {t('connections.plainWarning')}
        </Banner>
      ) : null}
      <Secrets {...part} />
      <Belongs {...part} endpoints={settings.endpoints.map(({ name }) => name)} />
      <Comparing {...part} />
      <Mapping {...part} />
      <Transport {...part} />
    </FormDialog>
  )
}
