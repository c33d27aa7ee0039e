import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { Connection } from '#contract/connection.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { FormDialog, FormPart, FormRow } from '@/shared/components/form-dialog.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { keepSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { connectionForm, MAPPED_FIELDS } from './connection-form.ts'
import { type ItemDialogProps, TEXT } from './section.tsx'

const named = (value: string) => ({ value, label: value })

/** An account of the service. Its secrets go to the host and never come back. */
export function ConnectionDialog({ item: connection, settings, onClose }: ItemDialogProps<Connection>) {
  const { t } = useTranslation(['settings', 'common'])
  const osStore = useStatus((s) => s.info?.capabilities.osSecretStore)
  const others = settings.connections.map(({ name }) => name).filter((name) => name !== connection?.name)
  const endpoints = [
    ...new Set([...settings.endpoints.map(({ name }) => name), ...(connection?.endpoints ?? [])]),
  ]
  const { draft, change, draw, fields, dialog } = useForm({
    form: () => connectionForm(connection, others),
    texts: ['settings', 'connections'],
    look: ({ baseUrl, acceptAnyCertificate }) => {
      const secret = (name: 'apiKey' | 'pluginToken') => ({
        type: 'password',
        autoComplete: 'new-password',
        placeholder: t(`connections.place.${connection?.[name] ?? 'none'}`),
      })
      return {
        baseUrl: {
          wide: true,
          placeholder: 'https://',
          warning: addressProblem(baseUrl) === 'plain' && t('connections.plainWarning'),
        },
        'apiKey.typed': secret('apiKey'),
        'pluginToken.typed': secret('pluginToken'),
        endpoints: { options: endpoints.map(named) },
        kinds: { options: KINDS.map(({ kind }) => named(kind)) },
        zone: { className: 'max-w-320' },
        'notYetDue.issuedHours': { decimals: 2 },
        'notYetDue.returnedMinutes': { decimals: 2 },
        proxyUrl: { placeholder: 'http://' },
        acceptAnyCertificate: { warning: acceptAnyCertificate && t('connections.anyCertificateWarning') },
      }
    },
    onSaved: keepSettings,
    onClose,
  })
  return (
    <FormDialog
      width={680}
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      action={t('save')}
      {...dialog}
    >
      {fields(['name', 'baseUrl'])}
      <FormPart title={t('connections.secrets')}>
        <p className={TEXT}>
          {t('connections.secretsText')} {t(osStore ? 'about.secretsSystem' : 'about.secretsFile')}
        </p>
        <FormRow>
          {(['apiKey', 'pluginToken'] as const).map((name) => (
            <div key={name}>
              {draw(`${name}.typed`)}
              {connection?.[name] === 'stored' ? (
                <Checkbox
                  label={t(name === 'apiKey' ? 'connections.forgetKey' : 'connections.forgetToken')}
                  checked={draft[name].forget && draft[name].typed === ''}
                  disabled={draft[name].typed !== ''}
                  onChange={(forget) => change({ [name]: { ...draft[name], forget } })}
                />
              ) : null}
            </div>
          ))}
        </FormRow>
        <WeakSecrets />
        {fields(['pluginHeader.name', 'pluginHeader.scheme'])}
      </FormPart>
      <FormPart title={t('connections.belongs')}>
        <Switch
          label={t('connections.allEndpoints')}
          hint={t('connections.allEndpointsHint')}
          checked={draft.endpoints.length === 0}
          onChange={(all) => change({ endpoints: all ? [] : endpoints.slice(0, 1) })}
        />
        {draft.endpoints.length === 0 ? null : draw('endpoints')}
        <Switch
          label={t('connections.allKinds')}
          hint={t('connections.allKindsHint')}
          checked={draft.kinds === null}
          onChange={(all) => change({ kinds: all ? null : KINDS.map(({ kind }) => kind) })}
        />
        {draft.kinds === null ? null : draw('kinds')}
        {fields('zone')}
      </FormPart>
      <FormPart title={t('connections.comparing')}>
        {fields(['notYetDue.issuedHours', 'notYetDue.returnedMinutes'], 'ignoredFields')}
      </FormPart>
      <FormPart title={t('connections.mapping')}>
        <p className={TEXT}>{t('connections.mappingText')}</p>
        {fields(
          MAPPED_FIELDS.map((name) => `mapping.${name}` as const),
          'documentTypes',
          'documentTypesComplete',
        )}
      </FormPart>
      <FormPart title={t('connections.transport')}>
        {fields(['timeouts.connectMs', 'timeouts.answerMs', 'timeouts.totalMs'], 'proxy')}
        {draft.proxy === 'address' ? fields('proxyUrl') : null}
        {fields('acceptAnyCertificate')}
      </FormPart>
    </FormDialog>
  )
}
