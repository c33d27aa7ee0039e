import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { Connection } from '#contract/connection.ts'
import type { Settings } from '#contract/settings.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { FormChoice, FormDialog, FormPart, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
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
  const { draft, change, errorOf, field, toggle, choice, dialog } = useForm({
    form: () => connectionForm(connection, others),
    texts: ['settings', 'connections'],
    send: async (params) => receive(await api.call('connections.save', params)),
    onSaved: onClose,
  })
  const endpoints = [...new Set([...settings.endpoints.map(({ name }) => name), ...draft.endpoints])]
  const kindsError = errorOf('kinds')
  return (
    <FormDialog
      width={680}
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      action={t('save')}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <TextField {...field('name')} mono maxLength={60} />
        <TextField {...field('baseUrl')} mono className={WIDE} placeholder="https://" />
      </FormRow>
      {addressProblem(draft.baseUrl) === 'plain' ? <Warning>{t('connections.plainWarning')}</Warning> : null}
      <FormPart title={t('connections.secrets')}>
        <p className={styles.text}>
          {t('connections.secretsText')} {t(osStore ? 'about.secretsSystem' : 'about.secretsFile')}
        </p>
        <FormRow>
          {(['apiKey', 'pluginToken'] as const).map((name) => {
            const place = connection?.[name] ?? 'none'
            const { value, ...common } = field(name)
            return (
              <div key={name}>
                <TextField
                  {...common}
                  mono
                  type="password"
                  autoComplete="new-password"
                  placeholder={t(`connections.place.${place}`)}
                  value={value.typed}
                  onChange={(typed) => common.onChange({ typed, forget: false })}
                />
                {place === 'stored' ? (
                  <Checkbox
                    label={t(name === 'apiKey' ? 'connections.forgetKey' : 'connections.forgetToken')}
                    checked={value.forget}
                    disabled={value.typed !== ''}
                    onChange={(forget) => common.onChange({ ...value, forget })}
                  />
                ) : null}
              </div>
            )
          })}
        </FormRow>
        <WeakSecrets />
        <FormRow>
          <TextField {...field('headerName')} mono />
          <TextField {...field('scheme')} mono />
        </FormRow>
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
        <TextField {...field('zone')} mono className="max-w-320" />
      </FormPart>
      <FormPart title={t('connections.comparing')}>
        <FormRow>
          <NumberField {...field('issuedHours')} unit={t('connections.hours')} decimals={2} />
          <NumberField {...field('returnedMinutes')} unit={t('connections.minutes')} decimals={2} />
        </FormRow>
        <TextField {...field('ignoredFields')} mono />
      </FormPart>
      <FormPart title={t('connections.mapping')}>
        <p className={styles.text}>{t('connections.mappingText')}</p>
        <FormRow>
          {MAPPED_FIELDS.map((name) => (
            <TextField
              key={name}
              label={t(`connections.field.${name}`)}
              mono
              maxLength={500}
              placeholder={t('connections.found')}
              value={draft.mapping[name]}
              onChange={(pointer) => change({ mapping: { ...draft.mapping, [name]: pointer } })}
              error={errorOf(`mapping-${name}`)}
            />
          ))}
        </FormRow>
        <TextField
          {...field('documentTypes')}
          mono
          maxLength={4_000}
          placeholder={t('connections.documentTypesExample')}
        />
        <Switch {...toggle('documentTypesComplete')} />
      </FormPart>
      <FormPart title={t('connections.transport')}>
        <FormRow>
          <NumberField {...field('connectMs')} unit="ms" />
          <NumberField {...field('answerMs')} unit="ms" />
          <NumberField {...field('totalMs')} unit="ms" />
        </FormRow>
        <FormChoice {...choice('proxy', ['environment', 'none', 'address'])} />
        {draft.proxy === 'address' ? <TextField {...field('proxyUrl')} mono placeholder="http://" /> : null}
        <Switch {...toggle('acceptAnyCertificate')} />
        {draft.acceptAnyCertificate ? <Warning>{t('connections.anyCertificateWarning')}</Warning> : null}
      </FormPart>
    </FormDialog>
  )
}

function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <Banner tone="warning" inset>
      {children}
    </Banner>
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
