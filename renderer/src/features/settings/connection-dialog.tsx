import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { Connection } from '#contract/connection.ts'
import type { Settings } from '#contract/settings.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { FormDialog, FormPart, FormRow } from '@/shared/components/form-dialog.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { connectionForm, MAPPED_FIELDS } from './connection-form.ts'
import styles from './settings.module.css'

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
  const osStore = useStatus((s) => s.info?.capabilities.osSecretStore)
  const others = settings.connections.map(({ name }) => name).filter((name) => name !== connection?.name)
  const { draft, change, errorOf, draw, fields, dialog } = useForm({
    form: () => connectionForm(connection, others),
    texts: ['settings', 'connections'],
    look: ({ baseUrl, acceptAnyCertificate }) => {
      const secret = (name: 'apiKey' | 'pluginToken') => ({
        ...{ type: 'password', autoComplete: 'new-password' },
        placeholder: t(`connections.place.${connection?.[name] ?? 'none'}`),
      })
      return {
        baseUrl: {
          ...{ wide: true, placeholder: 'https://' },
          warning: addressProblem(baseUrl) === 'plain' && t('connections.plainWarning'),
        },
        'apiKey.typed': secret('apiKey'),
        'pluginToken.typed': secret('pluginToken'),
        zone: { className: 'max-w-320' },
        'notYetDue.issuedHours': { decimals: 2 },
        'notYetDue.returnedMinutes': { decimals: 2 },
        proxyUrl: { placeholder: 'http://' },
        acceptAnyCertificate: { warning: acceptAnyCertificate && t('connections.anyCertificateWarning') },
      }
    },
    onSaved: receive,
    onClose,
  })
  const endpoints = [...new Set([...settings.endpoints.map(({ name }) => name), ...draft.endpoints])]
  const kindsError = errorOf('kinds')
  return (
    <FormDialog
      width={680}
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      action={t('save')}
      {...dialog}
    >
      {fields(['name', 'baseUrl'])}
      <FormPart title={t('connections.secrets')}>
        <p className={styles.text}>
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
        {draft.endpoints.length === 0 ? null : (
          <Several
            of={endpoints}
            chosen={draft.endpoints}
            onChange={(chosen) => change({ endpoints: chosen })}
          />
        )}
        <Switch
          label={t('connections.allKinds')}
          hint={t('connections.allKindsHint')}
          checked={draft.kinds === null}
          onChange={(all) => change({ kinds: all ? null : KINDS.map(({ kind }) => kind) })}
        />
        {draft.kinds === null ? null : (
          <Several
            of={KINDS.map(({ kind }) => kind)}
            chosen={draft.kinds}
            onChange={(kinds) => change({ kinds })}
          />
        )}
        {kindsError === null ? null : (
          <p role="alert" className="text-invalid text-xs leading-[1.4]">
            {kindsError}
          </p>
        )}
        {fields('zone')}
      </FormPart>
      <FormPart title={t('connections.comparing')}>
        {fields(['notYetDue.issuedHours', 'notYetDue.returnedMinutes'], 'ignoredFields')}
      </FormPart>
      <FormPart title={t('connections.mapping')}>
        <p className={styles.text}>{t('connections.mappingText')}</p>
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

interface SeveralProps<T extends string> {
  readonly of: readonly T[]
  readonly chosen: readonly T[]
  readonly onChange: (chosen: readonly T[]) => void
}

/** Any number of these. */
function Several<T extends string>({ of, chosen, onChange }: SeveralProps<T>) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(190px,1fr))] gap-x-12 gap-y-4">
      {of.map((one) => (
        <Checkbox
          key={one}
          label={one}
          checked={chosen.includes(one)}
          onChange={(on) => onChange(on ? [...chosen, one] : chosen.filter((other) => other !== one))}
        />
      ))}
    </div>
  )
}
